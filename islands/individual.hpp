#pragma once

#include "src/eval/coverage_sample.hpp"
#include "src/rules/contingency_table.hpp"
#include "src/rules/grammar.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// A derivation of the grammar, the rule it stands for, and what the evaluator counted for it.
struct Individual {
  Derivation derivation;
  Rule rule;                   ///< canonical
  RuleCounts counts;           ///< zeros until evaluated
  Coverage coverage;           ///< of a sample; empty until needed, not part of the state
  std::uint8_t operation = 0;  ///< that bred it; not part of the state
};

}  // namespace atl
