#include "src/measures/mean_significance.hpp"

#include <algorithm>
#include <cmath>

#include "src/core/portable_math.hpp"
#include "src/measures/measures.hpp"
#include "src/measures/p_value.hpp"

namespace atl {
namespace {

/// Square of the standard error of the mean, of values divided by `scale`; NaN of fewer than two
/// rows.
double squared_error(const ContingencyTable& table, double scale) noexcept {
  const auto rows = static_cast<double>(table.n_both);
  const double deviation = evaluate(Measure::deviation, table) / scale;
  return deviation * deviation / (rows - 1);
}

/// 1 unless the squares of such deviations would be infinite or nothing.
double scale_of(const ContingencyTable& a, const ContingencyTable& b) noexcept {
  const double greatest =
      std::max(evaluate(Measure::deviation, a), evaluate(Measure::deviation, b));
  return greatest > 1e150 || (greatest > 0 && greatest < 1e-150) ? greatest : 1;
}

}  // namespace

double log_mean_p(const ContingencyTable& table) noexcept {
  const double z = evaluate(Measure::z_score, table);
  return std::isnan(z) ? 0 : log_normal_tail(z);
}

double log_productive_mean_p(const ContingencyTable& special,
                             const ContingencyTable& general) noexcept {
  // The rows of the general rule are all there is.
  ContingencyTable within{general.n_both, special.n_both, general.n_both, special.n_both};
  within.target = special.target;
  within.target.mean_all = general.target.mean;
  within.target.deviation_all = general.target.deviation;
  return log_mean_p(within);
}

double mean_change_p(const ContingencyTable& before, const ContingencyTable& after) noexcept {
  if (before.n_both < 2 || after.n_both < 2) return 1;
  const double scale = scale_of(before, after);
  const double error = std::sqrt(squared_error(before, scale) + squared_error(after, scale));
  if (!(error > 0)) return 1;
  const double z = std::abs(after.target.mean / scale - before.target.mean / scale) / error;
  return two_sided_p_value(log_normal_tail(z));
}

}  // namespace atl
