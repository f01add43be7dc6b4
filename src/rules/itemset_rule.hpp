#pragma once

#include <cstdint>
#include <span>

#include "src/measures/contingency_table.hpp"

namespace atl {

/// An association rule whose sides are sets of items: a transaction that has all of the antecedent
/// has all of the consequent, too. No item is on both sides, and neither is empty.
struct ItemsetRule {
  std::span<const std::uint32_t> antecedent, consequent;
  ContingencyTable table;  ///< of transactions
};

/// A part of a list of rules; a head stands before the first.
enum class ItemsetRulePart { first, later };

/// Makes text of rules. Each thread of a search has its own, for one part of the list after
/// another.
class ItemsetRuleText {
 public:
  virtual ~ItemsetRuleText() = default;
  virtual void write(const ItemsetRule& rule) = 0;
  /// Writes what is left. @return the number of rules since the last call
  virtual std::uint64_t finish() = 0;
};

}  // namespace atl
