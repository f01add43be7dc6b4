// The formulas behind measures.hpp, whose registry says what each is.
#pragma once

#include "src/rules/contingency_table.hpp"

namespace atl {

/// The cells of a contingency table as doubles, exact below 2^53, and the measures as functions of
/// them; NaN where a value does not exist.
class MeasureFormulas {
 public:
  explicit MeasureFormulas(const ContingencyTable& table) noexcept
      : table_(table),
        n_(static_cast<double>(table.n)),
        a_(static_cast<double>(table.n_antecedent)),
        c_(static_cast<double>(table.n_consequent)),
        both_(static_cast<double>(table.n_both)) {}

  double support() const noexcept;
  double confidence() const noexcept;
  double lift() const noexcept;
  double leverage() const noexcept;
  double conviction() const noexcept;
  double certainty_factor() const noexcept;
  double coverage() const noexcept;
  double rhs_support() const noexcept;
  double confidence_low() const noexcept;
  double confidence_high() const noexcept;
  double added_value() const noexcept;
  double cosine() const noexcept;
  double jaccard() const noexcept;
  double kulczynski() const noexcept;
  double imbalance() const noexcept;
  double maxconfidence() const noexcept;
  double phi() const noexcept;
  double chi_squared() const noexcept;
  double fishers_exact_test() const noexcept;
  double odds_ratio() const noexcept;
  double relative_risk() const noexcept;
  double yule_q() const noexcept;
  double yule_y() const noexcept;
  double j_measure() const noexcept;
  double mutual_information() const noexcept;
  double gini() const noexcept;
  double collective_strength() const noexcept;
  double zhang() const noexcept;
  double laplace() const noexcept;
  double sebag() const noexcept;
  double counterexample() const noexcept;
  double confirmed_confidence() const noexcept;
  double casual_support() const noexcept;
  double casual_confidence() const noexcept;
  double least_contradiction() const noexcept;
  double varying_liaison() const noexcept;
  double lerman() const noexcept;
  double implication_index() const noexcept;
  double doc() const noexcept;
  double kappa() const noexcept;
  double rld() const noexcept;
  double ralambondrainy() const noexcept;
  double rule_power_factor() const noexcept;
  double importance() const noexcept;
  double lambda() const noexcept;
  double contrast() const noexcept;
  double mean() const noexcept;
  double mean_rest() const noexcept;
  double mean_difference() const noexcept;
  double deviation() const noexcept;
  double effect_size() const noexcept;
  double z_score() const noexcept;
  double impact() const noexcept;

 private:
  double not_a() const noexcept { return n_ - a_; }
  double not_c() const noexcept { return n_ - c_; }
  double only_a() const noexcept { return a_ - both_; }
  double only_c() const noexcept { return c_ - both_; }
  double neither() const noexcept { return n_ - a_ - c_ + both_; }
  /// n^2 times the leverage, exactly 0 for independent sides while n^2 < 2^53.
  double excess() const noexcept { return both_ * n_ - a_ * c_; }
  bool a_is_constant() const noexcept { return a_ == 0 || a_ == n_; }
  bool about_mean() const noexcept { return table_.target.side != TargetMoments::Side::none; }
  /// Towards the side that the rule is to lie on.
  double wanted(double difference) const noexcept {
    return table_.target.side == TargetMoments::Side::low ? -difference : difference;
  }
  bool c_is_constant() const noexcept { return c_ == 0 || c_ == n_; }

  const ContingencyTable& table_;
  double n_, a_, c_, both_;  // rows; of the antecedent, of the consequent, of both
};

}  // namespace atl
