#include "src/run/loop/job_start.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/run/log/run_log.hpp"

namespace atl {

namespace {

void add_team(nlohmann::ordered_json& record, const MiningParts& parts, const Machine& machine) {
  record["team"] = parts.teams.size();
  record["split"] = names_of(machine.split)[static_cast<std::size_t>(machine.split)];
  record["adds_up_by"] = parts.reducer->name();
  const std::string reason = parts.reducer->reason();
  if (!reason.empty()) record["adds_up_reason"] = reason;
}

}  // namespace

void log_start(const MiningParts& parts, const JobSettings& settings, const Context& context,
               std::uint32_t job, std::uint32_t generation, double dependence_seconds) {
  const Dataset& dataset = parts.dataset();
  const std::uint64_t held_out = parts.rows.held_out ? parts.rows.held_out->rows() : 0;
  const std::vector<std::uint64_t>& held = parts.rows.copies;
  char host[256] = "";
  (void)::gethostname(host, sizeof host - 1);
  nlohmann::ordered_json record{{"version", ATOLL_VERSION},
                                {"host", host},
                                {"job", job},
                                {"ranks", context.communicator.size()},
                                {"threads", parts.pool.threads()},
                                {"backend", parts.resident->device().name()},
                                {"rows", dataset.rows()},
                                {"rows_held_out", held_out},
                                {"attributes", dataset.attributes().size()},
                                {"transactions", parts.rows.items.has_value()},
                                {"copies", std::count(held.begin(), held.end(), dataset.rows())},
                                {"rows_in_memory", held},
                                {"load_seconds", parts.load_seconds},
                                {"device_seconds", parts.device_seconds},
                                {"dependence_seconds", dependence_seconds},
                                {"islands", settings.configuration.experiment.islands},
                                {"generation", generation}};
  if (parts.reducer != nullptr) add_team(record, parts, settings.configuration.machine);
  settings.log->write("start", record);
}

}  // namespace atl
