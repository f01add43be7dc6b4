#include "src/measures/measure_formulas.hpp"

#include <algorithm>

#include "src/core/portable_math.hpp"
#include "src/measures/significance.hpp"

namespace atl {
namespace {

/// x log(y / z), 0 for x = 0. @pre y and z are not 0 unless x is
double x_log(double x, double y, double z) noexcept {
  return x == 0 ? 0 : x * portable_log(y / z);
}

/// n times the entropy of a share of `part` among n.
double scaled_entropy(double part, double n) noexcept {
  return x_log(part, n, part) + x_log(n - part, n, n - part);
}

}  // namespace

double MeasureFormulas::fishers_exact_test() const noexcept {
  return p_value(log_fisher_p(table_));
}

double MeasureFormulas::j_measure() const noexcept {
  if (a_ == 0) return not_a_value;
  const double sum =
      x_log(both_, n_ * both_, a_ * c_) + x_log(only_a(), n_ * only_a(), a_ * not_c());
  return std::max(sum / n_, 0.0);
}

double MeasureFormulas::mutual_information() const noexcept {
  if (a_is_constant() || c_is_constant()) return not_a_value;
  const double information = x_log(both_, n_ * both_, a_ * c_) +
                             x_log(only_a(), n_ * only_a(), a_ * not_c()) +
                             x_log(only_c(), n_ * only_c(), not_a() * c_) +
                             x_log(neither(), n_ * neither(), not_a() * not_c());
  const double most = std::min(scaled_entropy(a_, n_), scaled_entropy(c_, n_));
  return std::clamp(information / most, 0.0, 1.0);
}

double MeasureFormulas::importance() const noexcept {
  constexpr double ln_10 = 2.302585092994045684;
  return portable_log((both_ + 1) * (not_a() + 2) / ((only_c() + 1) * (a_ + 2))) / ln_10;
}

}  // namespace atl
