#include "src/run/job_start.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "src/grammar/absences.hpp"
#include "src/results/unmet_targets.hpp"
#include "src/run/dependences.hpp"
#include "src/run/run_log.hpp"
#include "src/run/run_report.hpp"

namespace atl {

void log_start(const MiningParts& parts, const JobSettings& settings, const Context& context,
               std::uint32_t job, std::uint32_t generation, double dependence_seconds) {
  const Dataset& dataset = parts.dataset();
  const std::uint64_t held_out = parts.rows.held_out ? parts.rows.held_out->rows() : 0;
  char host[256] = "";
  (void)::gethostname(host, sizeof host - 1);
  settings.log->write("start", {{"version", ATOLL_VERSION},
                                {"host", host},
                                {"job", job},
                                {"ranks", context.communicator.size()},
                                {"threads", parts.pool.threads()},
                                {"backend", parts.resident->device().name()},
                                {"rows", dataset.rows()},
                                {"rows_held_out", held_out},
                                {"attributes", dataset.attributes().size()},
                                {"load_seconds", parts.load_seconds},
                                {"device_seconds", parts.device_seconds},
                                {"dependence_seconds", dependence_seconds},
                                {"islands", settings.configuration.experiment.islands},
                                {"generation", generation}});
}

void report_data(MiningParts& parts, const Experiment& experiment, const Dependences& dependences,
                 const Report& report) {
  const auto attributes = parts.dataset().attributes();
  report_dependences(dependences, experiment, attributes, report);
  warn_of_thin_support(experiment, parts.dataset().rows(), report);
  tell_of_labels(attributes, report);
  const auto targets = count_targets(experiment, attributes, *parts.resident);
  for (const auto& line : excluded_targets(experiment, attributes, targets)) {
    report(Severity::warning, line);
  }
  announce_absences(experiment, attributes, report);
}

}  // namespace atl
