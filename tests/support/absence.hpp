#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "src/data/presence.hpp"
#include "src/rules/rule.hpp"

namespace atl::test {

/// Does some comparison say, by its codes or by an odd number of NOTs around it, that an attribute
/// with a presence_code() is absent?
inline bool says_absent(const Expression& side, std::span<const Attribute> attributes) {
  std::vector<std::vector<std::pair<Comparison, bool>>> stack;  // each with: below an odd number
  std::size_t next = 0;
  for (const Op op : side.program()) {
    if (op == Op::comparison) {
      stack.push_back({{side.comparisons()[next++], false}});
    } else if (op == Op::negation) {
      for (auto& [comparison, negated] : stack.back()) negated = !negated;
    } else {
      const auto right = std::move(stack.back());
      stack.pop_back();
      stack.back().insert(stack.back().end(), right.begin(), right.end());
    }
  }
  for (const auto& [comparison, negated] : stack.back()) {
    const auto code = presence_code(attributes[comparison.attribute]);
    if (code && takes(comparison, 1 - *code) != negated) return true;
  }
  return false;
}

inline bool says_absent(const Rule& rule, std::span<const Attribute> attributes) {
  return says_absent(rule.antecedent, attributes) || says_absent(rule.consequent, attributes);
}

}  // namespace atl::test
