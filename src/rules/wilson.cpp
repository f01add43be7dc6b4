#include "src/rules/wilson.hpp"

#include <cmath>

namespace atl {

ConfidenceInterval wilson_interval(std::uint64_t hits, std::uint64_t n) noexcept {
  constexpr double z = 1.959963984540054;  // of the normal distribution at 0.975
  constexpr double z2 = z * z;
  const auto k = static_cast<double>(hits);
  const auto m = static_cast<double>(n);
  const double middle = k + z2 / 2;
  const double half_width = z * std::sqrt(k * (m - k) / m + z2 / 4);
  return {hits == 0 ? 0 : (middle - half_width) / (m + z2),
          hits == n ? 1 : (middle + half_width) / (m + z2)};
}

}  // namespace atl
