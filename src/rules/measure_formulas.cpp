#include "src/rules/measure_formulas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/core/portable_math.hpp"
#include "src/rules/fisher.hpp"
#include "src/rules/wilson.hpp"

namespace atl {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_value = std::numeric_limits<double>::quiet_NaN();

/// Infinity, if not both are zero, where the denominator is.
double ratio(double numerator, double denominator) noexcept {
  if (denominator != 0) return numerator / denominator;
  if (numerator == 0) return not_a_value;
  return numerator > 0 ? infinity : -infinity;
}

/// Does not exist where the denominator is zero, whatever the numerator.
double quotient(double numerator, double denominator) noexcept {
  return denominator == 0 ? not_a_value : numerator / denominator;
}

/// What Agresti and Caffo 2000 take for a share of rows: one more that holds and one that does not.
struct AdjustedShare {
  AdjustedShare(double hits, double rows) noexcept
      : value((hits + 1) / (rows + 2)), variance(value * (1 - value) / (rows + 2)) {}
  double value, variance;
};

/// x log(y / z), 0 for x = 0. @pre y and z are not 0 unless x is
double x_log(double x, double y, double z) noexcept {
  return x == 0 ? 0 : x * portable_log(y / z);
}

/// n times the entropy of a share of `part` among n.
double scaled_entropy(double part, double n) noexcept {
  return x_log(part, n, part) + x_log(n - part, n, n - part);
}

}  // namespace

// NaN goes through min, max and clamp as long as it is their first argument.

double MeasureFormulas::support() const noexcept {
  return quotient(both_, n_);
}

double MeasureFormulas::confidence() const noexcept {
  return quotient(both_, a_);
}

// Equal fractions are rounded to equal doubles: the lift of independent sides is exactly 1.
double MeasureFormulas::lift() const noexcept {
  return a_ == 0 || c_ == 0 ? not_a_value : confidence() / (c_ / n_);
}

double MeasureFormulas::leverage() const noexcept {
  return quotient(excess(), n_ * n_);
}

double MeasureFormulas::conviction() const noexcept {
  return a_ == 0 ? not_a_value : ratio(a_ * not_c(), n_ * only_a());
}

double MeasureFormulas::certainty_factor() const noexcept {
  if (a_ == 0) return not_a_value;
  const double prior = c_ / n_;
  const double gain = confidence() - prior;
  if (gain > 0) return gain / (1 - prior);
  return gain < 0 ? gain / prior : 0;
}

double MeasureFormulas::coverage() const noexcept {
  return quotient(a_, n_);
}

double MeasureFormulas::rhs_support() const noexcept {
  return quotient(c_, n_);
}

double MeasureFormulas::confidence_low() const noexcept {
  return a_ == 0 ? not_a_value : wilson_interval(table_.n_both, table_.n_antecedent).low;
}

double MeasureFormulas::confidence_high() const noexcept {
  return a_ == 0 ? not_a_value : wilson_interval(table_.n_both, table_.n_antecedent).high;
}

double MeasureFormulas::added_value() const noexcept {
  return a_ == 0 ? not_a_value : confidence() - c_ / n_;
}

double MeasureFormulas::cosine() const noexcept {
  return std::min(quotient(both_, std::sqrt(a_ * c_)), 1.0);
}

double MeasureFormulas::jaccard() const noexcept {
  return quotient(both_, a_ + only_c());
}

double MeasureFormulas::kulczynski() const noexcept {
  return (quotient(both_, a_) + quotient(both_, c_)) / 2;
}

double MeasureFormulas::imbalance() const noexcept {
  return quotient(std::abs(a_ - c_), a_ + only_c());
}

double MeasureFormulas::maxconfidence() const noexcept {
  return quotient(both_, std::min(a_, c_));
}

double MeasureFormulas::phi() const noexcept {
  return std::clamp(quotient(excess(), std::sqrt((a_ * not_c()) * (c_ * not_a()))), -1.0, 1.0);
}

double MeasureFormulas::chi_squared() const noexcept {
  if (a_is_constant() || c_is_constant()) return not_a_value;
  return (excess() / (a_ * not_a())) * (excess() / (c_ * not_c())) * n_;
}

double MeasureFormulas::fishers_exact_test() const noexcept {
  return portable_exp(log_fisher_p(table_));
}

double MeasureFormulas::odds_ratio() const noexcept {
  return ratio(both_ * neither(), only_a() * only_c());
}

double MeasureFormulas::relative_risk() const noexcept {
  return a_is_constant() ? not_a_value : ratio(both_ * not_a(), only_c() * a_);
}

double MeasureFormulas::yule_q() const noexcept {
  const double with = both_ * neither();
  const double against = only_a() * only_c();
  return quotient(with - against, with + against);
}

double MeasureFormulas::yule_y() const noexcept {
  const double with = std::sqrt(both_ * neither());
  const double against = std::sqrt(only_a() * only_c());
  return quotient(with - against, with + against);
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

// The weighted variance of p(C | A) and p(C | not A) around p(C), twice, for both classes.
double MeasureFormulas::gini() const noexcept {
  if (a_is_constant()) return not_a_value;
  return 2 * (excess() / (n_ * a_)) * (excess() / (n_ * not_a()));
}

double MeasureFormulas::collective_strength() const noexcept {
  const double expected = a_ * c_ + not_a() * not_c();  // n^2 times the share expected to agree
  const double agreed = both_ + neither();
  if (n_ == 0 || expected == n_ * n_) return not_a_value;
  return ratio(agreed * (n_ * n_ - expected), expected * (n_ - agreed));
}

double MeasureFormulas::zhang() const noexcept {
  return quotient(excess(), std::max(both_ * not_a(), a_ * only_c()));
}

double MeasureFormulas::laplace() const noexcept {
  return (both_ + 1) / (a_ + 2);
}

double MeasureFormulas::sebag() const noexcept {
  return ratio(both_, only_a());
}

double MeasureFormulas::counterexample() const noexcept {
  return ratio(both_ - only_a(), both_);
}

double MeasureFormulas::confirmed_confidence() const noexcept {
  return quotient(both_ - only_a(), a_);
}

double MeasureFormulas::casual_support() const noexcept {
  return quotient(a_ + c_ - 2 * only_a(), n_);
}

double MeasureFormulas::casual_confidence() const noexcept {
  return std::max(1 - quotient(only_a() * (a_ + c_), n_ * a_ * c_), 0.0);
}

double MeasureFormulas::least_contradiction() const noexcept {
  return quotient(both_ - only_a(), c_);
}

double MeasureFormulas::varying_liaison() const noexcept {
  return lift() - 1;
}

double MeasureFormulas::lerman() const noexcept {
  return quotient(excess() / n_, std::sqrt(a_ * c_ / n_));
}

double MeasureFormulas::implication_index() const noexcept {
  return quotient(-excess() / n_, std::sqrt(a_ * not_c() / n_));
}

double MeasureFormulas::doc() const noexcept {
  return quotient(both_, a_) - quotient(only_c(), not_a());
}

double MeasureFormulas::kappa() const noexcept {
  const double expected = a_ * c_ + not_a() * not_c();
  return std::clamp(quotient(2 * excess(), n_ * n_ - expected), -1.0, 1.0);
}

double MeasureFormulas::rld() const noexcept {
  const double weakest = excess() > 0 ? std::min(only_a(), only_c()) : std::min(both_, neither());
  const double distance = std::abs(excess()) / n_;
  return quotient(distance, distance + weakest);
}

double MeasureFormulas::ralambondrainy() const noexcept {
  return quotient(only_a(), n_);
}

double MeasureFormulas::rule_power_factor() const noexcept {
  return a_ == 0 ? not_a_value : support() * confidence();
}

double MeasureFormulas::importance() const noexcept {
  constexpr double ln_10 = 2.302585092994045684;
  return portable_log((both_ + 1) * (not_a() + 2) / ((only_c() + 1) * (a_ + 2))) / ln_10;
}

double MeasureFormulas::lambda() const noexcept {
  const double mode = std::max(c_, not_c());
  return quotient(std::max(both_, only_a()) + std::max(only_c(), neither()) - mode, n_ - mode);
}

double MeasureFormulas::contrast() const noexcept {
  const auto wide = static_cast<double>(table_.n_wider_antecedent);
  if (a_ == 0 || wide == 0 || c_is_constant()) return not_a_value;
  // A margin without rows counts as a row as confident as the rule.
  const bool empty = wide == a_;
  const double hits = empty ? confidence() : static_cast<double>(table_.n_wider_both) - both_;
  const AdjustedShare inside(both_, a_);
  const AdjustedShare margin(hits, empty ? 1 : wide - a_);
  const double gain =
      inside.value - margin.value - 2 * std::sqrt(inside.variance + margin.variance);
  const double beyond_all = confidence() - c_ / n_;
  return std::min(gain, beyond_all) / std::sqrt(c_ * not_c() / (n_ * n_));
}

// Of rules about a mean both_ is the number of rows of the antecedent that have a value, and c_
// that of all rows that have one.

double MeasureFormulas::mean() const noexcept {
  return about_mean() && both_ > 0 ? table_.target.mean : not_a_value;
}

double MeasureFormulas::mean_rest() const noexcept {
  return about_mean() && both_ < c_ ? table_.target.mean_rest : not_a_value;
}

double MeasureFormulas::mean_difference() const noexcept {
  return mean() - mean_rest();
}

double MeasureFormulas::deviation() const noexcept {
  const bool counted = about_mean() && both_ > 0 && table_.target.deviation >= 0;
  return counted ? table_.target.deviation : not_a_value;
}

double MeasureFormulas::effect_size() const noexcept {
  return quotient(wanted(mean_difference()), table_.target.deviation_all);
}

// Of m rows drawn from n without replacement the mean has the variance d^2 (n - m) / (m (n - 1)).
double MeasureFormulas::z_score() const noexcept {
  if (both_ == c_) return not_a_value;
  const double error = table_.target.deviation_all * std::sqrt((c_ - both_) / (both_ * (c_ - 1)));
  return quotient(wanted(mean() - table_.target.mean_all), error);
}

double MeasureFormulas::impact() const noexcept {
  if (!about_mean() || c_ == 0) return not_a_value;
  return both_ == 0 ? 0 : both_ / c_ * wanted(mean() - table_.target.mean_all);
}

}  // namespace atl
