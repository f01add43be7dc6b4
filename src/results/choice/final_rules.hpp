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
#include "src/results/choice/definitions.hpp"
#include "src/results/refinement/refinement.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A list, and how it came about.
struct FinalRules {
  std::vector<RuleRecord> rules;  ///< best first, then variants, then definitions that are apart
  std::size_t alike = 0;          ///< left out only because they are like others
  bool complete = true;           ///< false: it was not to go on
  RefinementSummary refinement;
};

/// The archive's rules, counted again, redundancy removed, the best experiment.top of them that are
/// not alike (selection.hpp), then as many of those that are definitions, where these are kept
/// apart. Not collective; blocking.
FinalRules final_rules(const Archive& archive, const Experiment& experiment, Resident& resident,
                       const Definitions& definitions = {});

/// The rows of a dataset with every value a code of its own.
struct ExactRows {
  Resident& resident;
  ThreadPool& pool;
};

/// How far a list is.
struct ListProgress {
  std::size_t rules = 0;    ///< that it has
  std::size_t refined = 0;  ///< whose bounds have been fitted
};

/// Likewise, made better: rules that cover the rows of what is aimed at between them are added
/// (covering.hpp), bounds are fitted among all values (refinement.hpp), idle parts left out, and
/// what merging and leaving out free, the next best of the archive take, until experiment.top rules
/// are chosen or no candidate is left. The best rule by the experiment's `archive_by` is among them
/// as it was found, without what is idle in it beside it.
/// @param resident  the rows searched
/// @param go_on  told of progress every now and then; false: what is not refined yet is taken as
/// found
/// @return rules in the codes of `exact`
FinalRules final_rules(const Archive& archive, const Experiment& experiment,
                       const IslandGrammars& grammars, Resident& resident, const ExactRows& exact,
                       const Definitions& definitions,
                       const std::function<bool(const ListProgress&)>& go_on);

}  // namespace atl
