// Tests of a rule against chance, and of several rules at once.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "src/core/portable_math.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// Rejecting where the adjusted p is at most alpha keeps the probability of any false rejection at
/// most alpha, whatever the dependence (Holm 1979, "A simple sequentially rejective multiple test
/// procedure").
/// @param p  [n] in [0, 1]
/// @return [n] in the order given
std::vector<double> holm(std::span<const double> p);

/// Rejecting where the adjusted p is at most alpha keeps the expected share of false rejections
/// among the rejections at most alpha, for independent or positively dependent tests (Benjamini,
/// Hochberg 1995, "Controlling the false discovery rate").
std::vector<double> benjamini_hochberg(std::span<const double> p);

/// ln p, one-sided, that the n_both rows of a rule about a mean have theirs if they were drawn from
/// the n_consequent rows with a value without replacement: of its z, by the normal distribution
/// that such means approach. 0 where there is no z. The same bits on every machine.
/// @pre the rule is about a mean
double log_mean_p(const ContingencyTable& table) noexcept;

/// The same if they were drawn from the rows of a more general rule.
/// @param general  with its rows' deviation
double log_productive_mean_p(const ContingencyTable& special,
                             const ContingencyTable& general) noexcept;

/// p, two-sided, that the means of two rules about the same differ so much by chance (Welch 1938,
/// with the normal distribution). 1 where a deviation cannot be told, or both are 0.
/// @param before, after  of different rows, with their deviations
double mean_change_p(const ContingencyTable& before, const ContingencyTable& after) noexcept;

/// Stands for a p-value that no double can hold: 0 would claim the impossible.
inline constexpr double least_p_value = std::numeric_limits<double>::min();

/// The probability of which this is the logarithm, at least least_p_value. @pre log_p <= 0
inline double p_value(double log_p) noexcept {
  return std::max(portable_exp(log_p), least_p_value);
}

/// The p-value of both sides together, from that of the likelier side.
inline double two_sided_p_value(double log_p) noexcept {
  return std::clamp(2 * portable_exp(log_p), least_p_value, 1.0);
}

/// ln p of Fisher's exact test, one-sided: the probability of at least n_both rows in common, were
/// antecedent and consequent independent with their supports given. At most 0; the same bits on
/// every machine. @pre the counts are those of a table
double log_fisher_p(const ContingencyTable& table) noexcept;

}  // namespace atl
