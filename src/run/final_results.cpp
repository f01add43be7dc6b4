#include "src/run/final_results.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/run/run_folder.hpp"
#include "src/core/communicator.hpp"
#include "src/core/stopwatch.hpp"
#include "src/results/definitions.hpp"
#include "src/results/final_rules.hpp"
#include "src/run/dependences.hpp"

namespace atl {

namespace {

std::shared_ptr<Resident> load(const Dataset& rows, const ResultTools& tools) {
  const bool had_device = tools.backend.has_device();
  auto loaded = tools.backend.load(rows, tools.pool);
  if (had_device && !tools.backend.has_device()) {
    tools.report(Severity::warning, "the rest is counted on the CPU: " + tools.backend.reason());
  }
  return loaded;
}

}  // namespace

WrittenResults write_final_results(const FoundRules& found, const ResultTools& tools,
                                   const RunOrigins* origins) {
  const JobSettings& settings = tools.settings;
  const Experiment& experiment = settings.configuration.experiment;
  const Dataset& search = tools.rows.search;
  const auto write = [&](const FinalRules& list, const JobRows& of, Resident& resident) {
    std::shared_ptr<Resident> tester;
    if (of.held_out) tester = load(*of.held_out, tools);
    WrittenResults written =
        write_results(list.rules, of.search.attributes(), found, experiment, resident, tester.get(),
                      *settings.lock, tools.report, origins);
    written.alike = list.alike;
    written.complete = list.complete;
    return written;
  };
  const Definitions definitions(tools.dependences, experiment.definitions,
                                target_attributes(experiment, search.attributes()));
  if (experiment.bounds == Bounds::binned) {
    return write(final_rules(found.archive, experiment, tools.resident, definitions), tools.rows,
                 tools.resident);
  }
  const auto start = std::chrono::steady_clock::now();
  const auto attributes = search.attributes();
  std::optional<JobRows> loaded;
  if (std::any_of(attributes.begin(), attributes.end(), [](const auto& a) { return a.binned(); })) {
    loaded = load_exact_rows(settings, search);
  }
  const JobRows& exact = loaded ? *loaded : tools.rows;
  const auto loaded_resident = loaded ? load(loaded->search, tools) : nullptr;
  Resident& exact_resident = loaded_resident ? *loaded_resident : tools.resident;
  const FinalRules list = final_rules(found.archive, experiment, tools.grammars, tools.resident,
                                      {exact_resident, tools.pool}, definitions, tools.go_on);
  const RefinementSummary& summary = list.refinement;
  settings.log->write("refinement", {{"rules", summary.rules},
                                     {"improved", summary.improved},
                                     {"added", summary.added},
                                     {"evaluated", summary.evaluated},
                                     {"seconds", seconds_since(start)}});
  return write(list, exact, exact_resident);
}

}  // namespace atl
