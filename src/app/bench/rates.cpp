#include "src/app/bench/rates.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "src/app/bench/workload.hpp"
#include "src/eval/batch.hpp"

namespace atl {

namespace {

/// Three-input operations to compare and to join the result to a rule's side, or the two that stand
/// for each, with `at_once` planes a step.
std::uint32_t least_steps(const Comparison& comparison, const Attribute& attribute,
                          std::uint32_t at_once) noexcept {
  const BoundComparison bound = bind(comparison, attribute).comparison;
  const std::uint32_t steps = (attribute.planes() + at_once - 1) / at_once;
  const std::uint32_t present = bound.limit_to_present ? 1 : 0;
  const auto steps_above = [&](std::uint32_t code) {
    return steps - 1 - static_cast<std::uint32_t>(std::countr_one(code)) / at_once;
  };
  switch (bound.kind) {
    case BoundKind::greater:
      return steps_above(bound.low) + 1 + present;
    case BoundKind::equal:
      return steps + present;
    case BoundKind::interval:
      return steps_above(bound.low) + steps_above(bound.high) + 2 + present;
    case BoundKind::never:
      break;
  }
  return 0;
}

}  // namespace

EvaluationTimes time_evaluation(Evaluator& evaluator, std::span<const Rule> rules,
                                std::span<const Attribute> attributes, double seconds) {
  std::vector<RuleCounts> counts(rules.size());
  const auto time = [&](bool share, bool supports) {
    EvaluateOptions options;
    options.share_comparisons = share;
    options.comparison_supports = supports;
    return time_repeatedly([&] { evaluator.wait(evaluator.submit(rules, options), counts); },
                           seconds);
  };
  EvaluationTimes times;
  times.raw = time(false, false);
  times.with_supports = time(false, true);
  times.effective = time(true, false);
  Batch batch;
  batch.compile(rules, attributes, {});
  times.distinct_share = static_cast<double>(batch.comparisons().size()) /
                         static_cast<double>(batch.operands().size());
  return times;
}

double core_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                  const CoreRates& rates) {
  std::uint64_t steps = 0;
  std::uint64_t comparisons = 0;
  std::uint64_t symbols = 0;
  for (const Rule& rule : rules) {
    for (const Expression* side : {&rule.antecedent, &rule.consequent}) {
      for (const Comparison& comparison : side->comparisons()) {
        steps += least_steps(comparison, attributes[comparison.attribute], rates.planes_per_step);
      }
    }
    ++steps;
    comparisons += rule.comparisons();
    symbols += symbols_of(rule.comparisons());
  }
  const double seconds = std::max({static_cast<double>(steps) / rates.logic,
                                   static_cast<double>(3 * rules.size()) / rates.popcounts,
                                   static_cast<double>(comparisons) / rates.loads});
  return static_cast<double>(symbols) * 64 / seconds;
}

}  // namespace atl
