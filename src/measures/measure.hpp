// C++17, for the device's compiler as well.
#pragma once

#include <cstdint>

namespace atl {

/// Interestingness of a rule; src/measures/measures.hpp says what each is.
/// In files and checkpoints by name and number: append only.
enum class Measure : std::uint8_t {
  support,
  confidence,
  lift,
  leverage,
  conviction,
  certainty_factor,
  coverage,
  rhs_support,
  confidence_low,
  confidence_high,
  added_value,
  cosine,
  jaccard,
  kulczynski,
  imbalance,
  maxconfidence,
  phi,
  chi_squared,
  fishers_exact_test,
  odds_ratio,
  relative_risk,
  yule_q,
  yule_y,
  j_measure,
  mutual_information,
  gini,
  collective_strength,
  zhang,
  laplace,
  sebag,
  counterexample,
  confirmed_confidence,
  casual_support,
  casual_confidence,
  least_contradiction,
  varying_liaison,
  lerman,
  implication_index,
  doc,
  kappa,
  rld,
  ralambondrainy,
  rule_power_factor,
  importance,
  lambda,
  contrast,
  mean,
  mean_rest,
  mean_difference,
  deviation,
  effect_size,
  z_score,
  impact,
};

}  // namespace atl
