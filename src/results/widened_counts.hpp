#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/eval/evaluator.hpp"
#include "src/rules/rule.hpp"

namespace atl {

struct WidenedCounts {
  std::vector<RuleCounts> counts;  ///< [rules] with the widening of least contrast noted
  std::uint64_t evaluated = 0;     ///< rules and widenings
};

/// Counts rules and their widenings (widening.hpp). Blocking.
/// @param attributes  the evaluator's
WidenedCounts count_widened(std::span<const Rule> rules, std::span<const Attribute> attributes,
                            const EvaluateOptions& options, Evaluator& evaluator);

}  // namespace atl
