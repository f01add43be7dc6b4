// What a run writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/device.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/results/archive/archive.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/results/refinement/refinement.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A list, and how it came about.
struct ChosenRules {
  std::vector<RuleRecord> rules;  ///< best first, then variants, then definitions that are apart
  std::size_t alike = 0;          ///< left out only because they are like others
  bool complete = true;           ///< false: it was not to go on
  RefinementSummary refinement;
};

/// The archive's rules, counted again, redundancy removed, the best experiment.top of them that are
/// not alike (unlike_rules.hpp), then as many of those that are definitions, where these are kept
/// apart. Not collective; blocking.
ChosenRules choose_rules(const Archive& archive, const Experiment& experiment, Resident& resident,
                         const Definitions& definitions = {});

/// The rows of a dataset with every value a code of its own.
struct ExactRows {
  Resident& resident;
  ThreadPool& pool;
};

/// How far a list is.
struct ChoiceProgress {
  std::size_t rules = 0;    ///< that it has
  std::size_t refined = 0;  ///< whose bounds have been fitted
};

/// Makes the list likewise, but better:
/// - rules are added that together cover the rows of what is aimed at (covering.hpp),
/// - bounds are fitted among all values (refinement.hpp),
/// - idle parts are left out,
/// - the next best of the archive take the places that merging and leaving out free.
/// The list ends when experiment.top rules are chosen or no candidate is left. It has the best rule
/// by the experiment's `archive_by` as it was found, and beside it the same without what is idle.
/// @param resident  the rows searched
/// @param go_on  told of progress every now and then; false: what is not refined yet is taken as
///               found
/// @return rules in the codes of `exact`
ChosenRules choose_rules(const Archive& archive, const Experiment& experiment,
                         const IslandGrammars& grammars, Resident& resident, const ExactRows& exact,
                         const Definitions& definitions,
                         const std::function<bool(const ChoiceProgress&)>& go_on);

}  // namespace atl
