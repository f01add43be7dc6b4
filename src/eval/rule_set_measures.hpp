// Measures from the counts of a decision list.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/eval/rule_set_scorer.hpp"
#include "src/measures/confusion_matrix.hpp"

namespace atl {

/// Confusion of a rule against all other classes; the rows of its own class are the positive ones.
struct RuleConfusion {
  std::uint64_t true_positives = 0, false_positives = 0, true_negatives = 0, false_negatives = 0;
  friend bool operator==(const RuleConfusion&, const RuleConfusion&) = default;
};

/// The confusion of the rule alone, whatever rules stand before it.
/// @param counts  of a list on any rows
/// @param label  of the rule
RuleConfusion confusion_of(const RuleSetCounts& counts, std::size_t rule, std::uint32_t label);

/// The confusion matrix of the rows that were counted.
/// @param counts  of the list, as many classes as the matrix is to have
ConfusionMatrix confusion_matrix(const RuleSet& list, const RuleSetCounts& counts);

}  // namespace atl
