#pragma once

#include <array>
#include <cstdint>

#include "src/core/row_hash.hpp"
#include "src/core/small_vector.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// What an evaluator says of one rule.
struct RuleCounts {
  ContingencyTable table;
  /// Rows on which an attribute of the consequent is missing, whether they are left out or not.
  std::uint64_t missing_consequent = 0;
  /// On request: rows on which each comparison holds, antecedent's first, in program order, over
  /// all rows.
  SmallVector<std::uint64_t, 8> comparison_supports;
  /// On request: for antecedent and consequent, the sum modulo 2^64 of row_hash over the rows
  /// covered, so that shards add. Zeros if not requested.
  std::array<std::uint64_t, 2> coverage_hash = {0, 0};
  friend bool operator==(const RuleCounts&, const RuleCounts&) = default;
};

}  // namespace atl
