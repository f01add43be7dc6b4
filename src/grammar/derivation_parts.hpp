// The parts of a derivation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "src/grammar/grammar_tables.hpp"

namespace atl {

/// Position of the consequent's first node.
inline std::size_t consequent_begin(const GrammarTables& tables,
                                    const Derivation& derivation) noexcept {
  const auto& start = tables.symbols[0].productions[derivation[0].production];
  std::size_t node = 1;
  for (std::uint32_t i = 0; i < start.antecedent_children; ++i) node += derivation[node].size;
  return node;
}

/// Is there an attribute that comparisons of both name?
inline bool shares_attribute(const GrammarTables& tables, std::span<const DerivationNode> a,
                             std::span<const DerivationNode> b) noexcept {
  return std::any_of(a.begin(), a.end(), [&](const DerivationNode& x) {
    return tables.is_leaf(x.symbol) &&
           std::any_of(b.begin(), b.end(), [&](const DerivationNode& y) {
             return tables.is_leaf(y.symbol) && y.comparison.attribute == x.comparison.attribute;
           });
  });
}

}  // namespace atl
