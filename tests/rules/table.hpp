// Attributes written by hand, and the truth of expressions on rows of codes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/expression.hpp"

namespace atl::test {

inline constexpr std::uint32_t missing_value = 0xFFFFFFFF;

inline Attribute numeric(const std::string& name, const std::vector<double>& values) {
  Attribute attribute;
  attribute.name = name;
  attribute.low = attribute.high = values;
  attribute.counts.assign(values.size(), 10);
  attribute.exact_distinct = values.size();
  return attribute;
}

/// Bins [low, high] of two and more values each, unless both are equal.
inline Attribute binned(const std::string& name, const std::vector<double>& low,
                        const std::vector<double>& high) {
  Attribute attribute = numeric(name, low);
  attribute.high = high;
  attribute.exact_distinct = 10 * low.size();
  return attribute;
}

inline Attribute labelled(const std::string& name, AttributeKind kind,
                          const std::vector<std::string>& labels) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = kind;
  attribute.labels = labels;
  attribute.counts.assign(labels.size(), 10);
  attribute.exact_distinct = labels.size();
  return attribute;
}

/// Of days since 1970-01-01.
inline Attribute dated(const std::string& name, AttributeKind kind, std::vector<double> days) {
  for (double& day : days) day *= 86'400e6;
  Attribute attribute = numeric(name, days);
  attribute.kind = kind;
  return attribute;
}

inline Attribute nominal(const std::string& name, const std::vector<std::string>& labels) {
  return labelled(name, AttributeKind::nominal, labels);
}

inline Attribute ordinal(const std::string& name, const std::vector<std::string>& labels) {
  return labelled(name, AttributeKind::ordinal, labels);
}

inline Attribute with_missing(Attribute attribute) {
  attribute.has_missing = true;
  attribute.missing = 5;
  return attribute;
}

/// The definition of a comparison's meaning.
inline bool holds(const Comparison& c, std::span<const std::uint32_t> row) {
  const std::uint32_t code = row[c.attribute];
  if (code == missing_value) return asks_missing(c);
  return (c.low <= code && code <= c.high) != c.negated;
}

inline bool holds(const Expression& expression, std::span<const std::uint32_t> row) {
  std::vector<bool> stack;
  std::size_t next = 0;
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      stack.push_back(holds(expression.comparisons()[next++], row));
    } else if (op == Op::negation) {
      stack.back() = !stack.back();
    } else {
      const bool right = stack.back();
      stack.pop_back();
      const bool left = stack.back();
      stack.back() = op == Op::conjunction ? left && right : left || right;
    }
  }
  return stack.back();
}

}  // namespace atl::test
