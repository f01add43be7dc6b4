#include "src/run/rules/final_results.hpp"

#include <chrono>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/core/stopwatch.hpp"
#include "src/results/choice/definitions.hpp"
#include "src/results/choice/final_rules.hpp"
#include "src/run/data/dependences.hpp"

namespace atl {

ChosenRules choose_rules(const Archive& archive, const ResultTools& tools) {
  const Experiment& experiment = tools.experiment;
  JobTables& tables = tools.tables;
  Resident& searched = tables.resident(JobTable::search);
  const auto rows_of = [&](FinalRules list, Resident& resident, JobTable held_out) {
    Resident* const tester = tables.rows().held_out ? &tables.resident(held_out) : nullptr;
    return ChosenRules{std::move(list), resident, tester};
  };
  const Definitions definitions(tools.dependences, experiment.definitions,
                                target_attributes(experiment, tables.rows().search.attributes()));
  if (experiment.bounds == Bounds::binned) {
    return rows_of(final_rules(archive, experiment, searched, definitions), searched,
                   JobTable::held_out);
  }
  Resident& exact = tables.resident(JobTable::exact_search);
  return rows_of(final_rules(archive, experiment, tools.grammars, searched, {exact, tables.pool()},
                             definitions, tools.go_on),
                 exact, JobTable::exact_held_out);
}

WrittenResults write_final_results(const FoundRules& found, const ResultTools& tools,
                                   const io::RunLock& run, RunLog& log, const Report& report,
                                   const RunOrigins* origins) {
  const auto start = std::chrono::steady_clock::now();
  const ChosenRules chosen = choose_rules(found.archive, tools);
  const FinalRules& list = chosen.list;
  if (tools.experiment.bounds != Bounds::binned) {
    const RefinementSummary& summary = list.refinement;
    log.write("refinement", {{"rules", summary.rules},
                             {"improved", summary.improved},
                             {"added", summary.added},
                             {"evaluated", summary.evaluated},
                             {"seconds", seconds_since(start)}});
  }
  WrittenResults written =
      write_results(list.rules, chosen.searched.dataset().attributes(), found, tools.experiment,
                    chosen.searched, chosen.held_out, run, report, origins);
  written.alike = list.alike;
  written.complete = list.complete;
  return written;
}

}  // namespace atl
