// p-values of several tests at once, adjusted so that they can be compared with one level.
#pragma once

#include <span>
#include <vector>

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

}  // namespace atl
