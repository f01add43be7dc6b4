// Individuals: decision lists, with what is known of them on all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/eval/rule_set_scorer.hpp"
#include "src/rules/rule_set.hpp"
#include "src/sampling/sampled_rule.hpp"

namespace atl {

/// A decision list of a population.
struct SampledList {
  std::vector<SharedRule> rules;
  std::uint32_t default_class = 0;
  RuleSetCounts counts;  ///< of all rows; empty until it is scored
  double correct = 0;    ///< weight of the rows of its population that it gets right
  double fitness = 0;    ///< without what its comparisons and rules cost
  std::size_t comparisons = 0;

  RuleSet list() const;
};

/// Greater fitness, then fewer comparisons, then by the lists' order.
bool better(const SampledList& a, const SampledList& b);

}  // namespace atl
