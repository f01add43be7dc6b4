#pragma once

#include <cstdint>
#include <optional>

#include "islands/operators.hpp"
#include "src/core/small_vector.hpp"
#include "src/grammar/grammar.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_statistics.hpp"

namespace atl {

/// A derivation of the grammar, the rule it stands for, and its statistics.
struct Individual {
  Derivation derivation;
  Rule rule;                  ///< canonical
  std::uint64_t key = 0;      ///< hash(rule), which is asked for again and again
  RuleStatistics statistics;  ///< zeros until evaluated
  // Computed; not part of the state.
  std::optional<Operation> operation;  ///< that bred it, if one did
  std::uint32_t parent = 0;            ///< slot of it
  double violation = 0;                ///< of the constraints
  SmallVector<double, 3> values;       ///< of the Algorithm's measures(), if it has some

  /// The constructor is written out, or each individual would be filled with zeros first: hundreds
  /// of bytes that it never reads.
  Individual() noexcept {}

  void stand_for(const Rule& canonical_rule) {
    rule = canonical_rule;
    key = hash(rule);
  }
  /// Makes it stand for the rule of its derivation.
  void stand_for_derivation(const BoundGrammar& grammar) {
    grammar.write_rule(derivation, rule);
    key = hash(rule);
  }
};

}  // namespace atl
