#pragma once

#include <array>
#include <cstdint>

#include "src/core/small_vector.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// What the rows of a table say of one rule: the numbers that measures, searches and lists are made
/// of. They are derived from the rule's counts (RuleStatistics).
struct RuleStatistics {
  ContingencyTable table;
  /// Rows on which an attribute of the consequent is missing, whether they are left out or not.
  std::uint64_t missing_consequent = 0;
  /// On request: rows on which each comparison holds, the antecedent's comparisons first, in
  /// program order, over all rows.
  SmallVector<std::uint64_t, 8> comparison_supports;
  /// On request: for antecedent and consequent, the sum modulo 2^64 of row_hash over the rows
  /// covered. Zeros if it was not requested.
  std::array<std::uint64_t, 2> coverage_hash = {0, 0};
  friend bool operator==(const RuleStatistics&, const RuleStatistics&) = default;
};

}  // namespace atl
