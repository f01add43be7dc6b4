#pragma once

#include <array>
#include <cstdint>

#include "src/core/small_vector.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// The numbers of one rule on a table's rows, of which measures, searches and lists are made. They
/// are derived from the rule's counts (RuleStatistics).
struct RuleStatistics {
  ContingencyTable table;
  /// Rows on which an attribute of the consequent is missing, whether they are left out or not.
  std::uint64_t missing_consequent = 0;
  /// Rows on which each comparison holds, on request: the antecedent's comparisons first, in
  /// program order, over all rows.
  SmallVector<std::uint64_t, 8> comparison_supports;
  /// The sum modulo 2^64 of row_hash over the rows covered, for antecedent and consequent, on
  /// request. Zeros if it was not requested.
  std::array<std::uint64_t, 2> coverage_hash = {0, 0};
  friend bool operator==(const RuleStatistics&, const RuleStatistics&) = default;
};

}  // namespace atl
