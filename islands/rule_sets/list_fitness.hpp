// What counts say of a list, and what can be made simpler by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "islands/rule_sets/sampled_list.hpp"

namespace atl {

/// How lists of an experiment are judged.
struct ListJudge {
  std::uint32_t folds = 1;      ///< of the rows that lists are scored on
  std::vector<double> weights;  ///< [classes] of a row of each
  /// [prices][classes] weight that a comparison costs in a rule that says it.
  std::vector<std::vector<double>> costs;

  std::uint32_t classes() const noexcept { return static_cast<std::uint32_t>(weights.size()); }
};

/// Weight n / (classes * n_c) to the power of `balance` for a row of a class of n_c rows, scaled so
/// that rows weigh 1 on average. 0: all the same; 1: all classes weigh the same.
std::vector<double> class_weights(std::span<const std::uint64_t> class_rows, double balance);

/// What a comparison costs in a rule that says each class: so many rows of average weight, or of
/// the class where those weigh more, but of its rows no more than a share.
/// @return [classes]
std::vector<double> comparison_costs(std::span<const double> weights,
                                     std::span<const std::uint64_t> class_rows, double rows,
                                     double most_share);

/// A population learns from all folds, or from all but one that it is tested on, at a price.
struct Part {
  std::optional<std::uint32_t> without = {};
  std::uint32_t price = 0;  ///< of comparisons
  bool has(std::uint32_t fold) const noexcept { return fold != without; }
};

/// Weight of the rows of a part that each class has among those that the rule with this index
/// decides; the default class is behind the last. @return [classes]
std::vector<double> decided_weights(const RuleSetCounts& counts, std::size_t rule,
                                    const ListJudge& judge, const Part& part);

/// Weight of the rows of a part that the list gets right, and of all of them.
struct Correct {
  double right = 0, all = 0;
};
Correct correct_of(const SampledList& list, const ListJudge& judge, const Part& part);

/// Leaves out rules that decide no row, gives each rule and the default the class that weighs most
/// among the rows of the part that it decides (its own if that is one of them), leaves out rules at
/// the end that say what the default says, and sets what is known of the list. Its counts stay
/// true.
void settle(SampledList& list, const ListJudge& judge, const Part& part);

}  // namespace atl
