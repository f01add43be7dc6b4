// What is said of the backends of all ranks.
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/app/backend.hpp"
#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"
#include "src/core/cpus.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {

namespace {

using Json = nlohmann::ordered_json;

Json record_of(const BackendChoice& backend, unsigned threads, int rank) {
  char host[256] = "";
  (void)::gethostname(host, sizeof host - 1);
  Json record = {{"rank", rank}, {"host", host}, {"backend", backend.name}};
  if (backend.automatic) record["reason"] = backend.reason;
  if (backend.device) {
    const cuda::VisibleDevice& device = *backend.device;
    record.update({{"gpu", device.name},
                   {"uuid", device.uuid},
                   {"pci_bus_id", device.pci_bus_id},
                   {"number", device.number},
                   {"capability", device.capability},
                   {"memory", device.memory},
                   {"memory_limit", backend.options.memory},
                   {"ranks_sharing", backend.sharing},
                   {"cuda_driver", device.driver},
                   {"cuda_runtime", device.runtime}});
  }
  record["threads"] = threads;
  record["cores"] = cpus_text(allowed_cpus());
  return record;
}

/// Of all ranks, on rank 0.
std::vector<Json> gathered(const Json& mine, Communicator& communicator) {
  const std::string text = mine.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::vector<Json> records;
  for (const Bytes& bytes :
       communicator.gather(std::as_bytes(std::span(text.data(), text.size())), 0)) {
    const auto* const first = reinterpret_cast<const char*>(bytes.data());
    records.push_back(Json::parse(first, first + bytes.size()));
  }
  return records;
}

void tell_choice(const std::vector<Json>& records, const Report& report) {
  std::set<std::string> gpus, names;
  std::vector<std::string> without;
  std::string reason_with, reason_without;
  for (const Json& record : records) {
    std::string& reason = record.contains("uuid") ? reason_with : reason_without;
    if (reason.empty()) reason = record["reason"];
    if (record.contains("uuid")) {
      gpus.insert(record["uuid"]);
      names.insert(record["gpu"]);
    } else {
      without.push_back(std::to_string(record["rank"].get<int>()));
    }
  }
  if (gpus.empty()) {
    report(Severity::info, "counting on the CPU: " + reason_without);
    return;
  }
  report(Severity::info, fmt::format("counting on {} ({}): {}", counted(gpus.size(), "GPU"),
                                     listed({names.begin(), names.end()}), reason_with));
  if (without.empty()) return;
  report(Severity::warning,
         fmt::format("{} {} on the CPU: {}",
                     (without.size() == 1 ? "rank " : "ranks ") + listed(without),
                     without.size() == 1 ? "counts" : "count", reason_without));
}

void warn_of_sharing(const std::vector<Json>& records, const Report& report) {
  std::set<std::string> gpus;
  std::uint64_t ranks = 0;
  for (const Json& record : records) {
    if (!record.contains("uuid")) continue;
    ++ranks;
    gpus.insert(record["uuid"]);
  }
  if (ranks == gpus.size()) return;
  report(Severity::warning,
         fmt::format("{} ranks share {}; a rank for each GPU is as fast, and has its memory for "
                     "itself",
                     ranks, counted(gpus.size(), "GPU")));
}

}  // namespace

void ChosenBackend::report(unsigned threads, const Context& context, RunLog* log) const {
  Communicator& communicator = context.communicator;
  const auto records = gathered(record_of(choice_, threads, communicator.rank()), communicator);
  on_root(communicator, [&] {
    for (const Json& record : records) log->write("device", record);
    if (choice_.automatic) tell_choice(records, context.report);
    warn_of_sharing(records, context.report);
  });
}

}  // namespace atl
