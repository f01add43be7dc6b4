#include "src/run/rules/final_results.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/run/run_folder.hpp"
#include "src/core/communicator.hpp"
#include "src/core/stopwatch.hpp"
#include "src/results/choice/definitions.hpp"
#include "src/results/choice/final_rules.hpp"
#include "src/run/data/dependences.hpp"

namespace atl {

WrittenResults write_final_results(const FoundRules& found, const ResultTools& tools,
                                   const RunOrigins* origins) {
  const JobSettings& settings = tools.settings;
  const Experiment& experiment = settings.configuration.experiment;
  JobTables& tables = tools.tables;
  const Dataset& search = tables.rows().search;
  Resident& searched = tables.resident(JobTable::search);
  const auto write = [&](const FinalRules& list, Resident& resident, JobTable held_out) {
    Resident* const tester = tables.rows().held_out ? &tables.resident(held_out) : nullptr;
    WrittenResults written =
        write_results(list.rules, resident.dataset().attributes(), found, experiment, resident,
                      tester, *settings.lock, tools.report, origins);
    written.alike = list.alike;
    written.complete = list.complete;
    return written;
  };
  const Definitions definitions(tools.dependences, experiment.definitions,
                                target_attributes(experiment, search.attributes()));
  if (experiment.bounds == Bounds::binned) {
    return write(final_rules(found.archive, experiment, searched, definitions), searched,
                 JobTable::held_out);
  }
  const auto start = std::chrono::steady_clock::now();
  Resident& exact = tables.resident(JobTable::exact_search);
  const FinalRules list = final_rules(found.archive, experiment, tools.grammars, searched,
                                      {exact, tables.pool()}, definitions, tools.go_on);
  const RefinementSummary& summary = list.refinement;
  settings.log->write("refinement", {{"rules", summary.rules},
                                     {"improved", summary.improved},
                                     {"added", summary.added},
                                     {"evaluated", summary.evaluated},
                                     {"seconds", seconds_since(start)}});
  return write(list, exact, JobTable::exact_held_out);
}

}  // namespace atl
