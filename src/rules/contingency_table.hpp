#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace atl {

/// A numeric attribute on the rows of a rule, in its own unit, where that is what the rule is
/// about. Zeros where there are no rows to say it of.
struct TargetMoments {
  /// On which side of the mean the rule is to lie; none: it is not about a mean.
  enum class Side : std::uint8_t { none, high, low };
  Side side = Side::none;
  double mean = 0;           ///< of the rows of both, n_both
  double mean_rest = 0;      ///< of the other rows that have a value, n_consequent - n_both
  double mean_all = 0;       ///< of all of them, n_consequent
  double deviation_all = 0;  ///< their population standard deviation
  double deviation = -1;     ///< that of the rows of both; -1 where it was not asked for
  friend bool operator==(const TargetMoments&, const TargetMoments&) = default;
};

/// Counts of rows that everything said about a rule is computed from (Table 2, Cano et al. 2013).
struct ContingencyTable {
  std::uint64_t n = 0;  ///< rows, less those left out for a missing consequent
  std::uint64_t n_antecedent = 0;
  std::uint64_t n_consequent = 0;
  std::uint64_t n_both = 0;
  /// Antecedent and both of the most confident of the rule's widenings (widening.hpp); zeros where
  /// they were not counted.
  std::uint64_t n_wider_antecedent = 0;
  std::uint64_t n_wider_both = 0;
  TargetMoments target = {};
  friend bool operator==(const ContingencyTable&, const ContingencyTable&) = default;
};

/// What an evaluator says of one rule.
struct RuleCounts {
  ContingencyTable table;
  /// Rows on which an attribute of the consequent is missing, whether they are left out or not.
  std::uint64_t missing_consequent = 0;
  /// On request: rows on which each comparison holds, antecedent's first, in program order, over
  /// all rows.
  std::vector<std::uint64_t> comparison_supports;
  /// On request: for antecedent and consequent, the sum modulo 2^64 of row_hash over the rows
  /// covered, so that shards add. Zeros if not requested.
  std::array<std::uint64_t, 2> coverage_hash = {0, 0};
  friend bool operator==(const RuleCounts&, const RuleCounts&) = default;
};

/// Hash of a row's index in the whole dataset: the finaliser of SplitMix64 (Steele et al. 2014).
constexpr std::uint64_t row_hash(std::uint64_t row) noexcept {
  std::uint64_t z = row + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace atl
