// What the counts of a decision list say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/eval/rule_set_scorer.hpp"

namespace atl {

/// Of a rule against all other classes; the rows of its own class are the positive ones.
struct RuleConfusion {
  std::uint64_t true_positives = 0, false_positives = 0, true_negatives = 0, false_negatives = 0;
  friend bool operator==(const RuleConfusion&, const RuleConfusion&) = default;
};

/// Of the rule alone, whatever rules stand before it.
/// @param counts  of a list on any rows
/// @param label  of the rule
RuleConfusion confusion_of(const RuleSetCounts& counts, std::size_t rule, std::uint32_t label);

/// Fitness of a rule (Listing 2, Cano et al. 2014). 0 where there are no positive rows, or no
/// negative ones.
double sensitivity_times_specificity(const RuleConfusion& confusion) noexcept;

/// [classes][classes] rows of each class, by the class that the list puts them into.
std::vector<std::uint64_t> confusion_matrix(const RuleSetCounts& counts, const RuleSet& list);

/// Fitness of a list (Listing 4, Cano et al. 2014): the share of rows that it puts into their own
/// class. 0 where there are no rows.
double accuracy(const RuleSetCounts& counts, const RuleSet& list) noexcept;

}  // namespace atl
