#include "src/results/refinement/idle_parts.hpp"

#include "src/rules/productivity.hpp"

namespace atl {

namespace {

constexpr double idle_share = 0.99;  // of a measure, that a rule has without an idle part
constexpr double idle_log_p = -2.995732273553991;  // ln 0.05, that a part does nothing

}  // namespace

std::optional<std::size_t> IdleParts::most_idle(std::span<const RuleStatistics> counts,
                                                Idle idle) const {
  const ContingencyTable& with = counts.back().table;
  std::optional<std::size_t> best;
  double greatest = 0;
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    const double log_p = log_productive_p(with, counts[i].table);
    if (!is_idle(with, counts[i].table, log_p, idle) || (best && log_p <= greatest)) continue;
    best = i;
    greatest = log_p;
  }
  return best;
}

/// Is the rule nearly as good without a part, and nearly as pure or no purer than by chance?
/// @param log_p  that the rule with the part beats the one without by chance
bool IdleParts::is_idle(const ContingencyTable& with, const ContingencyTable& without, double log_p,
                        Idle idle) const {
  if (!constraints_.met(without)) return false;
  const auto keeps = [&](Measure measure) {
    return evaluate(measure, without) >= idle_share * evaluate(measure, with);
  };
  if (!keeps(measure_)) return false;
  return log_p >= idle_log_p || (idle == Idle::nearly_or_by_chance && keeps(purity_));
}

}  // namespace atl
