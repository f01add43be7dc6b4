#pragma once

#include <span>
#include <vector>

#include "src/eval/evaluator.hpp"

namespace atl::test {

/// What the published pipeline must say.
inline std::vector<RuleCounts> reference_counts(const Dataset& data, std::span<const Rule> rules) {
  EvaluateOptions options;
  options.comparison_supports = true;
  auto counts = count(rules, options, *make_reference_evaluator(data));
  for (RuleCounts& of : counts) of.missing_consequent = 0;
  return counts;
}

}  // namespace atl::test
