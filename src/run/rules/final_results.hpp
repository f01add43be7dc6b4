#pragma once

#include <cstddef>
#include <functional>

#include "io/run/run_folder.hpp"
#include "src/core/report.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/eval/device.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/results/choice/final_rules.hpp"
#include "src/run/data/job_tables.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/rules/run_results.hpp"

namespace atl {

/// What the rules of a run are made with.
struct ResultTools {
  const Experiment& experiment;
  const IslandGrammars& grammars;
  JobTables& tables;
  const Dependences& dependences;  ///< between attributes
  /// Asked while the list is made better, which takes a while; false: it is written as it is.
  std::function<bool(const ListProgress&)> go_on;
};

/// Chosen rules, and the rows to count them on.
struct ChosenRules {
  FinalRules list;     ///< in the codes of `searched`
  Resident& searched;  ///< the rows searched, with every value if bounds are exact
  Resident* held_out;  ///< those held out, likewise; null if there are none
};

/// Chooses the rules of a run from its archive, with bounds among all values where the experiment
/// says so. Blocking, not collective.
ChosenRules choose_rules(const Archive& archive, const ResultTools& tools);

/// Likewise, and writes the results.
/// @param log  is told how long bounds took
/// @param origins  of rules collected from several runs; null for those of one
WrittenResults write_final_results(const FoundRules& found, const ResultTools& tools,
                                   const io::RunLock& run, RunLog& log, const Report& report,
                                   const RunOrigins* origins = nullptr);

}  // namespace atl
