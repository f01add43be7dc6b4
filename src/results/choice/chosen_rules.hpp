// What a run writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
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

/// What is said of a rule of a list, besides its counts.
struct ListNote {
  std::optional<std::size_t> variant_of = {};  ///< number of its line
  std::optional<double> strongest_of = {};     ///< as ListLine has it; of lines
  std::optional<std::uint64_t> new_rows = {};  ///< likewise
};

/// A list, and how it came about.
struct ChosenRules {
  /// Lines in their order, then variants in the order of their lines, then definitions that are
  /// apart. With `significance` up to four times experiment.top lines, to be tested.
  std::vector<RuleRecord> rules;
  std::vector<ListNote> notes;  ///< [rules]
  std::size_t lines = 0;        ///< of the rules
  std::size_t variants = 0;     ///< behind them
  /// The best rule by the experiment's `archive_by`, as it was found, if no line is this rule.
  std::optional<RuleRecord> as_found;
  std::size_t alike = 0;  ///< left out only because they are like others
  bool complete = true;   ///< false: it was not to go on
  RefinementSummary refinement;
};

/// The archive's rules, counted again, each in its telling direction (telling_direction.hpp),
/// redundancy removed, the best experiment.top of them that are not alike (unlike_rules.hpp), then
/// their variants, then as many of those that are definitions, where these are kept apart. Not
/// collective; blocking.
ChosenRules choose_rules(const Archive& archive, const Experiment& experiment,
                         const IslandGrammars& grammars, Resident& resident, ThreadPool& pool,
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
/// - rules are added that together cover the rows of what is aimed at (covering.hpp), and the most
///   certain of each size (front.hpp),
/// - bounds are fitted among all values (refinement.hpp),
/// - idle parts are left out,
/// - rules are turned after that,
/// - the next best of the archive take the places that merging and leaving out free.
/// The list ends when experiment.top lines are chosen or no candidate is left. An aimed list is
/// ordered by news, unless the experiment's order is by the measure. Of the best rule by its
/// `archive_by` the first line keeps 0.999 (0.99 in a list by news, where that serves the others);
/// with `significance` it also loses what rows held out could hardly show (IdleParts).
/// @param resident  the rows searched
/// @param go_on  told of progress every now and then; false: what is not refined yet is taken as
///               found
/// @return rules in the codes of `exact`
ChosenRules choose_rules(const Archive& archive, const Experiment& experiment,
                         const IslandGrammars& grammars, Resident& resident, const ExactRows& exact,
                         const Definitions& definitions,
                         const std::function<bool(const ChoiceProgress&)>& go_on);

}  // namespace atl
