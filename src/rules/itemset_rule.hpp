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

}  // namespace atl
