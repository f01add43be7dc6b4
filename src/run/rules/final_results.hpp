#pragma once

#include <cstddef>
#include <functional>

#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/eval/device.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/results/choice/final_rules.hpp"
#include "src/run/data/job_tables.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/rules/run_results.hpp"

namespace atl {

/// What the rules of a run are made with.
struct ResultTools {
  const JobSettings& settings;  ///< with log and lock
  const IslandGrammars& grammars;
  JobTables& tables;
  const Report& report;
  const Dependences& dependences;  ///< between attributes
  /// Asked while the list is made better, which takes a while; false: it is written as it is.
  std::function<bool(const ListProgress&)> go_on;
};

/// Chooses the rules of a run from its archive, with bounds among all values where the experiment
/// says so, and writes the results. Blocking, not collective.
/// @param origins  of rules collected from several runs; null for those of one
WrittenResults write_final_results(const FoundRules& found, const ResultTools& tools,
                                   const RunOrigins* origins = nullptr);

}  // namespace atl
