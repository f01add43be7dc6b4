// The logarithm of portable_math.hpp, which the device has, too. C++17.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

#include "src/core/host_device.hpp"

namespace atl {

// ln 2 in two parts; the first has 21 trailing zero bits, so that k * high is exact for |k| < 2^21.
inline constexpr double ln2_high = 0x1.62e42feep-1;
inline constexpr double ln2_low = 0x1.a39ef35793c76p-33;

/// Natural logarithm, within 3 ulp. The same bits everywhere if multiplications are not fused with
/// additions. @pre x finite, positive and normal
ATOLL_HOST_DEVICE inline double portable_log(double x) noexcept {
  assert(x >= 0x1p-1022 && x <= 0x1.fffffffffffffp+1023);
  constexpr std::uint64_t mantissa_bits = (std::uint64_t{1} << 52) - 1;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  bits = (bits & mantissa_bits) | std::uint64_t{1023} << 52;
  double m = 0;
  std::memcpy(&m, &bits, sizeof m);
  if (m > 0x1.6a09e667f3bcdp+0) {  // sqrt(2): keeps m in [sqrt(1/2), sqrt(2)]
    m *= 0.5;
    ++exponent;
  }
  // ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172: the series' terms fall by 34 each.
  const double s = (m - 1) / (m + 1);
  constexpr int terms = 10;
  constexpr double series[terms] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                    1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
  double sum = series[terms - 1];
  for (int i = terms - 1; i-- > 0;) sum = sum * (s * s) + series[i];
  const double tail = 2 * s * (s * s) * sum;
  return exponent * ln2_high + (2 * s + (tail + exponent * ln2_low));
}

}  // namespace atl
