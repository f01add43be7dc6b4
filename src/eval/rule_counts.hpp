#pragma once

#include <array>
#include <cstdint>

#include "src/core/small_vector.hpp"
#include "src/eval/counting_options.hpp"
#include "src/eval/target_values.hpp"
#include "src/rules/rule_statistics.hpp"

namespace atl {

/// The numbers that a device counts of one rule on its rows. Every number is an unsigned integer,
/// and the counts of a table are the sums (modulo 2^64) of the counts of its shards, so that
/// devices can share the rows among them. Whatever is no sum is derived afterwards: see
/// statistics_of().
struct RuleCounts {
  std::uint64_t n = 0;                   ///< rows, less those left out for a missing consequent
  std::uint64_t antecedent = 0;          ///< rows of them on which it holds
  std::uint64_t consequent = 0;          ///< likewise
  std::uint64_t both = 0;                ///< likewise
  std::uint64_t missing_consequent = 0;  ///< RuleStatistics
  /// For a mean target, over the rows of both: the sum of their levels (TargetScale), and the sum
  /// of the squares of these, squares_low + 2^32 squares_high. Zeros if they were not requested.
  std::uint64_t sum = 0;
  std::uint64_t squares_low = 0;
  std::uint64_t squares_high = 0;
  SmallVector<std::uint64_t, 8> comparison_supports = {};  ///< RuleStatistics
  std::array<std::uint64_t, 2> coverage_hash = {0, 0};     ///< RuleStatistics

  /// Adds the counts of the same rule on other rows. @pre both have the same options
  RuleCounts& operator+=(const RuleCounts& other) noexcept;
  friend bool operator==(const RuleCounts&, const RuleCounts&) = default;

  void set_squares(LevelSums::Wide squares) noexcept {
    squares_low = static_cast<std::uint64_t>(squares) & 0xFFFFFFFF;
    squares_high = static_cast<std::uint64_t>(squares >> 32);
  }
};

/// Derives a rule's statistics from its counts on all rows of the table.
/// @param options  that it was counted with
/// @param target  of the options' mean; null if there is none
RuleStatistics statistics_of(const RuleCounts& counts, const CountingOptions& options,
                             const TargetTotals* target);

}  // namespace atl
