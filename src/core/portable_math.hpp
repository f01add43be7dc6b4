// Transcendental functions with the same bits on every machine. Made of + - * / and bit operations
// alone, because libm's results differ between versions and processors.
#pragma once

#include <cstdint>

#include "src/core/portable_log.hpp"

namespace atl {

/// e to the x, within 2 ulp. 0 below -708, infinity above 709.
double portable_exp(double x) noexcept;

/// z with Phi(z) = p, relative error below 4e-15. @pre 0 < p < 1
double normal_quantile(double p) noexcept;

/// ln of the probability that a standard normal variable is at least z, absolute error below 1e-13
/// for z up to 0, relative error below that beyond. @pre z is a number, |z| < 1e150
double log_normal_tail(double z) noexcept;

/// ln n!, relative error below 2e-15 (0 for n < 2). @pre n < 2^53
double log_factorial(std::uint64_t n) noexcept;

}  // namespace atl
