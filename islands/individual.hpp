#pragma once

#include <optional>

#include "islands/operators.hpp"
#include "src/rules/grammar.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_counts.hpp"

namespace atl {

/// A derivation of the grammar, the rule it stands for, and what the evaluator counted for it.
struct Individual {
  Derivation derivation;
  Rule rule;          ///< canonical
  RuleCounts counts;  ///< zeros until evaluated
  // Of pareto, not part of the state.
  std::optional<Operation> operation;  ///< that bred it; none of a seed
  std::uint32_t parent = 0;            ///< slot of it
  double violation = 0;                ///< of the constraints
};

}  // namespace atl
