#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/core/bytes.hpp"
#include "src/rules/expression.hpp"

namespace atl {

struct Rule {
  Expression antecedent;
  Expression consequent;

  std::size_t comparisons() const noexcept {
    return antecedent.comparisons().size() + consequent.comparisons().size();
  }
  friend bool operator==(const Rule&, const Rule&) = default;
  /// Total order by attributes and codes: number of comparisons, antecedent, consequent.
  friend std::strong_ordering operator<=>(const Rule& a, const Rule& b) noexcept;
};

/// The rule with both sides canonical.
Rule canonical(const Rule& rule, std::span<const Attribute> attributes);

/// No attribute stands on both sides.
bool sides_disjoint(const Rule& rule) noexcept;

/// A hash that depends on attributes and codes alone; the same on every machine.
std::uint64_t hash(const Rule& rule) noexcept;
struct RuleHash {
  std::size_t operator()(const Rule& rule) const noexcept { return hash(rule); }
};

/// Number of symbols as the papers count them: 3 a comparison, 1 a connective.
std::size_t symbols(const Rule& rule) noexcept;

void encode(ByteWriter& out, const Rule& rule);
/// @throws BadBytes also if the rule is malformed or names attributes or codes that do not exist
Rule decode_rule(ByteReader& in, std::span<const Attribute> attributes);

}  // namespace atl
