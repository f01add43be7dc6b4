// The measures made of + - * / and sqrt alone, with the same bits on the host and on the device if
// neither fuses multiplications with additions. C++17.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "src/core/host_device.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// The cells of a contingency table as doubles, exact below 2^53, and measures as functions of
/// them; NaN where a value does not exist. The table must outlive it.
class ArithmeticMeasures {
 public:
  ATOLL_HOST_DEVICE explicit ArithmeticMeasures(const ContingencyTable& table) noexcept
      : table_(table),
        n_(static_cast<double>(table.n)),
        a_(static_cast<double>(table.n_antecedent)),
        c_(static_cast<double>(table.n_consequent)),
        both_(static_cast<double>(table.n_both)) {}

  ATOLL_HOST_DEVICE double support() const noexcept { return quotient(both_, n_); }
  ATOLL_HOST_DEVICE double confidence() const noexcept { return quotient(both_, a_); }
  // Equal fractions are rounded to equal doubles: the lift of independent sides is exactly 1.
  ATOLL_HOST_DEVICE double lift() const noexcept {
    return a_ == 0 || c_ == 0 ? not_a_value : confidence() / (c_ / n_);
  }
  ATOLL_HOST_DEVICE double leverage() const noexcept { return quotient(excess(), n_ * n_); }
  ATOLL_HOST_DEVICE double conviction() const noexcept {
    return a_ == 0 ? not_a_value : ratio(a_ * not_c(), n_ * only_a());
  }
  ATOLL_HOST_DEVICE double certainty_factor() const noexcept {
    if (a_ == 0) return not_a_value;
    const double prior = c_ / n_;
    const double gain = confidence() - prior;
    if (gain > 0) return gain / (1 - prior);
    return gain < 0 ? gain / prior : 0;
  }
  ATOLL_HOST_DEVICE double coverage() const noexcept { return quotient(a_, n_); }
  ATOLL_HOST_DEVICE double rhs_support() const noexcept { return quotient(c_, n_); }
  // Exactly 0 without hits, and the upper end exactly 1 without misses.
  ATOLL_HOST_DEVICE double confidence_low() const noexcept {
    if (a_ == 0) return not_a_value;
    return both_ == 0 ? 0 : (wilson_middle() - wilson_half_width()) / (a_ + z2);
  }
  ATOLL_HOST_DEVICE double confidence_high() const noexcept {
    if (a_ == 0) return not_a_value;
    return both_ == a_ ? 1 : (wilson_middle() + wilson_half_width()) / (a_ + z2);
  }
  ATOLL_HOST_DEVICE double added_value() const noexcept {
    return a_ == 0 ? not_a_value : confidence() - c_ / n_;
  }
  ATOLL_HOST_DEVICE double cosine() const noexcept {
    return least(quotient(both_, std::sqrt(a_ * c_)), 1.0);
  }
  ATOLL_HOST_DEVICE double jaccard() const noexcept { return quotient(both_, a_ + only_c()); }
  ATOLL_HOST_DEVICE double kulczynski() const noexcept {
    return (quotient(both_, a_) + quotient(both_, c_)) / 2;
  }
  ATOLL_HOST_DEVICE double imbalance() const noexcept {
    return quotient(std::fabs(a_ - c_), a_ + only_c());
  }
  ATOLL_HOST_DEVICE double maxconfidence() const noexcept { return quotient(both_, least(a_, c_)); }
  ATOLL_HOST_DEVICE double phi() const noexcept {
    return clamp(quotient(excess(), std::sqrt((a_ * not_c()) * (c_ * not_a()))), -1.0, 1.0);
  }
  ATOLL_HOST_DEVICE double chi_squared() const noexcept {
    if (a_is_constant() || c_is_constant()) return not_a_value;
    return (excess() / (a_ * not_a())) * (excess() / (c_ * not_c())) * n_;
  }
  ATOLL_HOST_DEVICE double odds_ratio() const noexcept {
    return ratio(both_ * neither(), only_a() * only_c());
  }
  ATOLL_HOST_DEVICE double relative_risk() const noexcept {
    return a_is_constant() ? not_a_value : ratio(both_ * not_a(), only_c() * a_);
  }
  ATOLL_HOST_DEVICE double yule_q() const noexcept {
    const double with = both_ * neither();
    const double against = only_a() * only_c();
    return quotient(with - against, with + against);
  }
  ATOLL_HOST_DEVICE double yule_y() const noexcept {
    const double with = std::sqrt(both_ * neither());
    const double against = std::sqrt(only_a() * only_c());
    return quotient(with - against, with + against);
  }
  // The weighted variance of p(C | A) and p(C | not A) around p(C), twice, for both classes.
  ATOLL_HOST_DEVICE double gini() const noexcept {
    if (a_is_constant()) return not_a_value;
    return 2 * (excess() / (n_ * a_)) * (excess() / (n_ * not_a()));
  }
  ATOLL_HOST_DEVICE double collective_strength() const noexcept {
    const double expected = a_ * c_ + not_a() * not_c();  // n^2 times the share expected to agree
    const double agreed = both_ + neither();
    if (n_ == 0 || expected == n_ * n_) return not_a_value;
    return ratio(agreed * (n_ * n_ - expected), expected * (n_ - agreed));
  }
  ATOLL_HOST_DEVICE double zhang() const noexcept {
    return quotient(excess(), most(both_ * not_a(), a_ * only_c()));
  }
  ATOLL_HOST_DEVICE double laplace() const noexcept { return (both_ + 1) / (a_ + 2); }
  ATOLL_HOST_DEVICE double sebag() const noexcept { return ratio(both_, only_a()); }
  ATOLL_HOST_DEVICE double counterexample() const noexcept {
    return ratio(both_ - only_a(), both_);
  }
  ATOLL_HOST_DEVICE double confirmed_confidence() const noexcept {
    return quotient(both_ - only_a(), a_);
  }
  ATOLL_HOST_DEVICE double casual_support() const noexcept {
    return quotient(a_ + c_ - 2 * only_a(), n_);
  }
  ATOLL_HOST_DEVICE double casual_confidence() const noexcept {
    return most(1 - quotient(only_a() * (a_ + c_), n_ * a_ * c_), 0.0);
  }
  ATOLL_HOST_DEVICE double least_contradiction() const noexcept {
    return quotient(both_ - only_a(), c_);
  }
  ATOLL_HOST_DEVICE double varying_liaison() const noexcept { return lift() - 1; }
  ATOLL_HOST_DEVICE double lerman() const noexcept {
    return quotient(excess() / n_, std::sqrt(a_ * c_ / n_));
  }
  ATOLL_HOST_DEVICE double implication_index() const noexcept {
    return quotient(-excess() / n_, std::sqrt(a_ * not_c() / n_));
  }
  ATOLL_HOST_DEVICE double doc() const noexcept {
    return quotient(both_, a_) - quotient(only_c(), not_a());
  }
  ATOLL_HOST_DEVICE double kappa() const noexcept {
    const double expected = a_ * c_ + not_a() * not_c();
    return clamp(quotient(2 * excess(), n_ * n_ - expected), -1.0, 1.0);
  }
  ATOLL_HOST_DEVICE double rld() const noexcept {
    const double weakest = excess() > 0 ? least(only_a(), only_c()) : least(both_, neither());
    const double distance = std::fabs(excess()) / n_;
    return quotient(distance, distance + weakest);
  }
  ATOLL_HOST_DEVICE double ralambondrainy() const noexcept { return quotient(only_a(), n_); }
  ATOLL_HOST_DEVICE double rule_power_factor() const noexcept {
    return a_ == 0 ? not_a_value : support() * confidence();
  }
  ATOLL_HOST_DEVICE double lambda() const noexcept {
    const double mode = most(c_, not_c());
    return quotient(most(both_, only_a()) + most(only_c(), neither()) - mode, n_ - mode);
  }
  ATOLL_HOST_DEVICE double contrast() const noexcept {
    const auto wide = static_cast<double>(table_.n_general_antecedent);
    if (a_ == 0 || wide == 0 || c_is_constant()) return not_a_value;
    // A margin without rows counts as a row as confident as the rule.
    const bool empty = wide == a_;
    const double hits = empty ? confidence() : static_cast<double>(table_.n_general_both) - both_;
    const AdjustedShare inside(both_, a_);
    const AdjustedShare margin(hits, empty ? 1 : wide - a_);
    const double gain =
        inside.value - margin.value - 2 * std::sqrt(inside.variance + margin.variance);
    const double beyond_all = confidence() - c_ / n_;
    return least(gain, beyond_all) / std::sqrt(c_ * not_c() / (n_ * n_));
  }
  // For a rule about a mean, both_ is the number of rows of the antecedent that have a value, and
  // c_ that of all rows that have one.

  ATOLL_HOST_DEVICE double mean() const noexcept {
    return about_mean() && both_ > 0 ? table_.target.mean : not_a_value;
  }
  ATOLL_HOST_DEVICE double mean_rest() const noexcept {
    return about_mean() && both_ < c_ ? table_.target.mean_rest : not_a_value;
  }
  ATOLL_HOST_DEVICE double mean_difference() const noexcept { return mean() - mean_rest(); }
  ATOLL_HOST_DEVICE double deviation() const noexcept {
    const bool counted = about_mean() && both_ > 0 && table_.target.deviation >= 0;
    return counted ? table_.target.deviation : not_a_value;
  }
  ATOLL_HOST_DEVICE double effect_size() const noexcept {
    return quotient(wanted(mean_difference()), table_.target.deviation_all);
  }
  // The mean of m rows drawn from n without replacement has the variance d^2 (n - m) / (m (n - 1)).
  ATOLL_HOST_DEVICE double z_score() const noexcept {
    if (both_ == c_) return not_a_value;
    const double error = table_.target.deviation_all * std::sqrt((c_ - both_) / (both_ * (c_ - 1)));
    return quotient(wanted(mean() - table_.target.mean_all), error);
  }
  ATOLL_HOST_DEVICE double impact() const noexcept {
    if (!about_mean() || c_ == 0) return not_a_value;
    return both_ == 0 ? 0 : both_ / c_ * wanted(mean() - table_.target.mean_all);
  }

 protected:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double not_a_value = std::numeric_limits<double>::quiet_NaN();

  ATOLL_HOST_DEVICE double not_a() const noexcept { return n_ - a_; }
  ATOLL_HOST_DEVICE double not_c() const noexcept { return n_ - c_; }
  ATOLL_HOST_DEVICE double only_a() const noexcept { return a_ - both_; }
  ATOLL_HOST_DEVICE double only_c() const noexcept { return c_ - both_; }
  ATOLL_HOST_DEVICE double neither() const noexcept { return n_ - a_ - c_ + both_; }
  ATOLL_HOST_DEVICE bool a_is_constant() const noexcept { return a_ == 0 || a_ == n_; }
  ATOLL_HOST_DEVICE bool c_is_constant() const noexcept { return c_ == 0 || c_ == n_; }

  const ContingencyTable& table_;
  double n_, a_, c_, both_;  // rows; of the antecedent, of the consequent, of both

 private:
  /// A share of rows as Agresti and Caffo 2000 take it: with one more that holds and one that does
  /// not.
  struct AdjustedShare {
    ATOLL_HOST_DEVICE AdjustedShare(double hits, double rows) noexcept
        : value((hits + 1) / (rows + 2)), variance(value * (1 - value) / (rows + 2)) {}
    double value, variance;
  };

  // std::min, max and clamp, which are not the device's: NaN goes through as the first argument.
  ATOLL_HOST_DEVICE static double least(double a, double b) noexcept { return b < a ? b : a; }
  ATOLL_HOST_DEVICE static double most(double a, double b) noexcept { return a < b ? b : a; }
  ATOLL_HOST_DEVICE static double clamp(double a, double low, double high) noexcept {
    return a < low ? low : high < a ? high : a;
  }

  /// The quotient. With a zero denominator it is plus or minus infinity, by the numerator's sign,
  /// or not a value if the numerator is zero, too.
  ATOLL_HOST_DEVICE static double ratio(double numerator, double denominator) noexcept {
    if (denominator != 0) return numerator / denominator;
    if (numerator == 0) return not_a_value;
    return numerator > 0 ? infinity : -infinity;
  }

  /// Does not exist where the denominator is zero, whatever the numerator.
  ATOLL_HOST_DEVICE static double quotient(double numerator, double denominator) noexcept {
    return denominator == 0 ? not_a_value : numerator / denominator;
  }

  /// n^2 times the leverage, exactly 0 for independent sides while n^2 < 2^53.
  ATOLL_HOST_DEVICE double excess() const noexcept { return both_ * n_ - a_ * c_; }

  // Wilson's score interval at 95% for both_ of a_ rows, without correction for continuity (Wilson
  // 1927, "Probable inference, the law of succession, and statistical inference").
  static constexpr double z = 1.959963984540054;  // of the normal distribution at 0.975
  static constexpr double z2 = z * z;
  ATOLL_HOST_DEVICE double wilson_middle() const noexcept { return both_ + z2 / 2; }
  ATOLL_HOST_DEVICE double wilson_half_width() const noexcept {
    return z * std::sqrt(both_ * (a_ - both_) / a_ + z2 / 4);
  }

  ATOLL_HOST_DEVICE bool about_mean() const noexcept {
    return table_.target.side != TargetMoments::Side::none;
  }
  /// Towards the side that the rule is to lie on.
  ATOLL_HOST_DEVICE double wanted(double difference) const noexcept {
    return table_.target.side == TargetMoments::Side::low ? -difference : difference;
  }
};

}  // namespace atl
