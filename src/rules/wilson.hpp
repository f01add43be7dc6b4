#pragma once

#include <cstdint>

namespace atl {

struct ConfidenceInterval {
  double low, high;
};

/// Wilson's score interval at 95% for a share of `hits` in n, without correction for continuity
/// (Wilson 1927, "Probable inference, the law of succession, and statistical inference"). Within
/// [0, 1]; low is exactly 0 without hits, high exactly 1 without misses. @pre hits <= n, n > 0
ConfidenceInterval wilson_interval(std::uint64_t hits, std::uint64_t n) noexcept;

}  // namespace atl
