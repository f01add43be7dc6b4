#include "src/core/portable_math.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace atl {
namespace {

/// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t n>
double polynomial(const std::array<double, n>& c, double x) noexcept {
  double sum = c[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

double power_of_two(int exponent) noexcept {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace

double portable_exp(double x) noexcept {
  if (x < -708) return 0;
  if (x > 709) return std::numeric_limits<double>::infinity();
  // x = k ln 2 + r, |r| <= ln 2 / 2, and the Taylor series of e^r to r^13.
  const double scaled = x * 0x1.71547652b82fep+0;  // x / ln 2
  const int k = static_cast<int>(scaled + (scaled < 0 ? -0.5 : 0.5));
  const double r = (x - k * ln2_high) - k * ln2_low;
  static constexpr std::array<double, 12> series = {
      1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
      1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
  const double e_to_r = 1 + (r + r * r * polynomial(series, r));
  // This takes two steps, as 2^1023 is the greatest power of two.
  return e_to_r * power_of_two(k / 2) * power_of_two(k - k / 2);
}

// Algorithm AS 241, PPND16 (Wichura 1988, Applied Statistics 37, 477-484).
double normal_quantile(double p) noexcept {
  assert(p > 0 && p < 1);
  static constexpr std::array<double, 8> a = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                              1.9715909503065514427e3, 1.3731693765509461125e4,
                                              4.5921953931549871457e4, 6.7265770927008700853e4,
                                              3.3430575583588128105e4, 2.5090809287301226727e3};
  static constexpr std::array<double, 8> b = {1.0,
                                              4.2313330701600911252e1,
                                              6.8718700749205790830e2,
                                              5.3941960214247511077e3,
                                              2.1213794301586595867e4,
                                              3.9307895800092710610e4,
                                              2.8729085735721942674e4,
                                              5.2264952788528545610e3};
  static constexpr std::array<double, 8> c = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                              5.76949722146069140550e0,  3.64784832476320460504e0,
                                              1.27045825245236838258e0,  2.41780725177450611770e-1,
                                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr std::array<double, 8> d = {1.0,
                                              2.05319162663775882187e0,
                                              1.67638483018380384940e0,
                                              6.89767334985100004550e-1,
                                              1.48103976427480074590e-1,
                                              1.51986665636164571966e-2,
                                              5.47593808499534494600e-4,
                                              1.05075007164441684324e-9};
  static constexpr std::array<double, 8> e = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr std::array<double, 8> f = {1.0,
                                              5.99832206555887937690e-1,
                                              1.36929880922735805310e-1,
                                              1.48753612908506148525e-2,
                                              7.86869131145613259100e-4,
                                              1.84631831751005468180e-5,
                                              1.42151175831644588870e-7,
                                              2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  const double z = r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                          : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -z : z;
}

double log_normal_tail(double z) noexcept {
  static constexpr double log_sqrt_two_pi = 0.91893853320467274178;
  if (z < 0) return portable_log(1 - portable_exp(log_normal_tail(-z)));
  const double log_density = -z * z / 2 - log_sqrt_two_pi;
  if (z < 2) {
    // Phi(z) - 1/2 = density * (z + z^3 / 3 + z^5 / (3 5) + ...)
    double term = z;
    double sum = 0;
    for (double odd = 3; term > sum * 1e-18; odd += 2) {
      sum += term;
      term *= z * z / odd;
    }
    return portable_log(0.5 - portable_exp(log_density) * sum);
  }
  // Laplace's continued fraction of Mills' ratio, 1 / (z + 1 / (z + 2 / (z + 3 / ...))).
  constexpr int terms = 200;
  double fraction = z;
  for (int i = terms; i > 0; --i) fraction = z + i / fraction;
  return log_density - portable_log(fraction);
}

double log_factorial(std::uint64_t n) noexcept {
  assert(n < std::uint64_t{1} << 53);
  if (n < 19) {  // 18! < 2^53: the product is exact
    double product = 1;
    for (std::uint64_t i = 2; i <= n; ++i) product *= static_cast<double>(i);
    return portable_log(product);
  }
  // Stirling's series. The first term left out, 1/(1188 n^9), is below 3e-15; ln 19! is 39.
  const auto x = static_cast<double>(n);
  const double i = 1 / x;
  static constexpr std::array<double, 4> series = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680};
  static constexpr double half_ln_two_pi = 0.91893853320467274178;
  return (x + 0.5) * portable_log(x) - x + (half_ln_two_pi + i * polynomial(series, i * i));
}

}  // namespace atl
