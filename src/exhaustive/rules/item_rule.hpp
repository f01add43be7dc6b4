#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/core/hash.hpp"
#include "src/exhaustive/rules/items.hpp"

namespace atl {

/// Most comparisons of a mined rule, both sides together.
inline constexpr std::size_t most_comparisons = 8;

/// A conjunction of items that implies one. The order is that of Rule.
struct ItemRule {
  std::uint8_t size = 0;                           ///< items of the antecedent
  std::array<Item, most_comparisons - 1> items{};  ///< ascending, zero from `size` on
  Item consequent = 0;

  std::span<const Item> antecedent() const noexcept { return {items.data(), size}; }
  friend auto operator<=>(const ItemRule&, const ItemRule&) = default;
};

/// A rule with its counts.
struct CountedRule {
  ItemRule rule;
  std::uint32_t n_antecedent = 0;
  std::uint32_t n_both = 0;
  Hash128 coverage;  ///< of the antecedent: hash_rows
};

/// n^2 times the leverage. Exact; n is below 2^31.
inline std::int64_t scaled_leverage(const CountedRule& counted, const Items& items) noexcept {
  return static_cast<std::int64_t>(counted.n_both) * static_cast<std::int64_t>(items.rows()) -
         static_cast<std::int64_t>(counted.n_antecedent) *
             static_cast<std::int64_t>(items.count(counted.rule.consequent));
}

/// What a rule must meet to be counted among results, as in a run of the preset niching; leverage
/// above 0 besides.
struct RuleLimits {
  std::uint32_t max_length = 5;  ///< comparisons, both sides together, 2 to most_comparisons
  std::uint64_t min_count = 1;   ///< rows on which both sides hold
  double max_consequent = 0.9;   ///< greatest share of rows of the consequent
};

/// The items that may be consequents, ascending.
std::vector<Item> consequents(const Items& items, const RuleLimits& limits);

}  // namespace atl
