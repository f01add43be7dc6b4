// What the rules of one consequent cover, and how like each other they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/results/choice/antecedent_rows.hpp"
#include "src/results/choice/front.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// The share of a rule's rows that lie in a line's, from which on it may be a variant.
inline constexpr double variant_inside = 0.9;
inline constexpr double log_unproductive = -2.995732273553991;  ///< ln 0.05

/// Rules of one consequent on the rows that antecedents were covered on.
class CoveredRows {
 public:
  /// @param records  not empty, of one consequent
  /// @param without_missing  rows without a value in the consequent do not count
  CoveredRows(std::span<const RuleRecord> records, const AntecedentRows& rows,
              bool without_missing);

  std::size_t rules() const noexcept { return bits_.size(); }
  const RowBits& bits(std::size_t rule) const noexcept { return bits_[rule]; }
  /// Of the rows that count.
  const FrontSum& sum(std::size_t rule) const noexcept { return sums_[rule]; }
  /// certainty() beyond that of all rows.
  double certainty(std::size_t rule) const noexcept { return certainties_[rule]; }
  /// Rows that count.
  std::uint64_t rows() const noexcept { return all_.rows; }
  /// @return [row] what a row that counts is above the mean of all; 0 for the others
  std::vector<double> gains() const;

  /// The Jaccard index of the rows of two rules.
  double likeness(std::size_t a, std::size_t b) const;

  /// Is a rule a variant of a line before it? It is if
  /// - the Jaccard index of their rows is above `most_similar`,
  /// - or at least 90% of its rows lie in the line's, and among those it is not productive: its
  ///   consequent is no more frequent, or its mean no greater, than by chance (p > 0.05).
  bool is_variant(std::size_t rule, std::size_t line, double most_similar) const;

 private:
  void find_values(const Expression& consequent, const AntecedentRows& rows, bool without_missing);
  FrontSum sum_of(const RowBits& bits) const;
  bool is_productive(std::size_t rule, std::size_t line) const;

  bool of_mean_, low_;
  std::vector<double> values_;  // [row] of a mean: above it, on the side asked for
  RowBits positives_;           // rows of the label, or none
  RowBits counting_;            // rows that count
  FrontSum all_;
  std::vector<RowBits> bits_;
  std::vector<std::uint64_t> covered_;  // [rule] rows, counting or not
  std::vector<FrontSum> sums_;
  std::vector<double> certainties_;
};

}  // namespace atl
