// Probabilities of classes, estimated from the training rows that each rule of a list decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace atl {

/// What is known of the classes before a rule's own rows are seen.
struct Smoothing {
  double rows = 2;             ///< so many rows it weighs as much as
  std::vector<double> shares;  ///< [classes] above 0; they add up to 1
};

/// The share of each class, as if it had one row more (Laplace), so that none is zero.
/// @param decided  [rules][classes] training rows
std::vector<double> class_shares(std::span<const std::uint64_t> decided, std::size_t classes);

/// The m-estimate (Cestnik 1990): p_c = (n_c + m s_c) / (n + m).
/// @param own  n_c, rows of the class among the n that a rule decides, or their weight
/// @param prior_rows  m @param share  s_c, what is known of the class before
constexpr double m_estimate(double own, double all, double prior_rows, double share) noexcept {
  return (own + prior_rows * share) / (all + prior_rows);
}

/// M-estimates of all classes, of which none is zero.
/// @param decided  [rules][classes] training rows
/// @return [rules][classes] those of a rule add up to 1
std::vector<std::vector<double>> class_probabilities(std::span<const std::uint64_t> decided,
                                                     const Smoothing& smoothing);

}  // namespace atl
