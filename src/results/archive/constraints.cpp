#include "src/results/archive/constraints.hpp"

#include <algorithm>
#include <cmath>

#include "src/measures/measures.hpp"
#include "src/rules/class_target.hpp"

namespace atl {
namespace {

// A lift of exactly 1 falls short by nothing; it still has to count as a violation.
constexpr double least_lift_shortfall = 0x1p-20;

// Exact, so that no rule at independence passes by rounding.
bool lift_above_one(const ContingencyTable& table) {
  using Wide = unsigned __int128;
  return Wide{table.n_both} * table.n > Wide{table.n_antecedent} * table.n_consequent;
}

// Standard deviations that the mean lies on the wrong side, brought into (0, 1).
double mean_shortfall(const ContingencyTable& table) {
  if (evaluate(Measure::impact, table) > 0) return 0;
  const double short_of = -evaluate(Measure::effect_size, table);
  return std::isnan(short_of) ? 1 : std::max(short_of / (1 + short_of), least_lift_shortfall);
}

bool empty_or_full(std::uint64_t covered, std::uint64_t n) {
  return covered == 0 || covered == n;
}

}  // namespace

std::uint64_t Constraints::least_support(const ContingencyTable& table) const {
  const std::uint64_t of_all = min_support.minimum_count(table.n);
  if (!by_class) return of_all;
  constexpr std::uint64_t fewest = 3;
  constexpr std::uint64_t part = 10;
  return std::min(of_all, std::max(fewest, (table.n_consequent + part - 1) / part));
}

double Constraints::support_shortfall(const ContingencyTable& table) const {
  const std::uint64_t least = least_support(table);
  if (table.n_both >= least) return 0;
  return static_cast<double>(least - table.n_both) / static_cast<double>(least);
}

double Constraints::violation(const ContingencyTable& table) const {
  double total = 0;
  if (table.target.side != TargetMoments::Side::none) {
    total += empty_or_full(table.n_both, table.n_consequent) ? 1 : 0;
    total += support_shortfall(table);
    if (positive_lift) total += mean_shortfall(table);
    return total;
  }
  total += empty_or_full(table.n_antecedent, table.n) ? 1 : 0;
  total += empty_or_full(table.n_consequent, table.n) ? 1 : 0;

  total += support_shortfall(table);

  const auto n = static_cast<double>(table.n);
  const auto antecedent = static_cast<double>(table.n_antecedent);
  const auto consequent = static_cast<double>(table.n_consequent);
  const auto both = static_cast<double>(table.n_both);
  if (antecedent == 0) {
    total += min_confidence > 0 ? 1 : 0;
  } else if (both / antecedent < min_confidence) {
    total += (min_confidence - both / antecedent) / min_confidence;
  }
  if (positive_lift && !lift_above_one(table)) {
    const double expected = antecedent * consequent;
    const double lift = expected == 0 ? 0 : both * n / expected;
    total += std::max(1 - lift, least_lift_shortfall);
  }
  if (n > 0 && consequent / n > max_consequent) {
    total += (consequent / n - max_consequent) / (1 - max_consequent);
  }
  return total;
}

Constraints constraints_of(const Experiment& experiment, std::span<const Attribute> attributes) {
  return {experiment.min_support, experiment.min_confidence, experiment.max_consequent(),
          experiment.algorithm->traits.associations, concludes_classes(experiment.aim, attributes)};
}

}  // namespace atl
