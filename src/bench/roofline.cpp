#include "src/bench/roofline.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "src/bench/workload.hpp"
#include "src/eval/bound_comparison.hpp"

namespace atl {
namespace {

/// Three-input operations to compare and to join the result to a rule's side, or the two that stand
/// for each, with `at_once` planes a step.
std::uint32_t least_steps(const BoundComparison& bound, const Attribute& attribute,
                          std::uint32_t at_once) noexcept {
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

/// The work that all rules need for a word of rows.
struct Work {
  std::uint64_t steps = 0;         ///< each comparison for itself
  std::uint64_t shared_steps = 0;  ///< distinct ones once, the others joined only
  std::uint64_t planes = 0;        ///< of all comparisons, of an interval twice
  std::uint64_t connectives = 0;   ///< within sides
  std::uint64_t comparisons = 0;
  std::uint64_t symbols = 0;
  std::uint64_t planes_read = 0;  ///< of all attributes that rules name, once
};

Work work_of(std::span<const Rule> rules, std::span<const Attribute> attributes,
             std::uint32_t planes_per_step) {
  Work work;
  std::set<BoundComparison> distinct;
  std::set<std::uint32_t> named;
  for (const Rule& rule : rules) {
    for (const Expression* side : {&rule.antecedent, &rule.consequent}) {
      for (const Comparison& comparison : side->comparisons()) {
        const Attribute& attribute = attributes[comparison.attribute];
        const BoundComparison bound = bind(comparison, attribute).comparison;
        const std::uint32_t steps = least_steps(bound, attribute, planes_per_step);
        work.steps += steps;
        work.shared_steps += distinct.insert(bound).second ? steps : 1;
        work.planes += attribute.planes() * (bound.kind == BoundKind::interval ? 2U : 1U);
        if (named.insert(comparison.attribute).second) {
          work.planes_read += attribute.planes() + (attribute.has_missing ? 1U : 0U);
        }
      }
    }
    ++work.steps;
    ++work.shared_steps;
    work.comparisons += rule.comparisons();
    work.connectives += rule.comparisons() - 2;
    work.symbols += symbols_of(rule.comparisons());
  }
  return work;
}

}  // namespace

double core_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                  const CoreRates& rates) {
  const Work work = work_of(rules, attributes, rates.planes_per_step);
  const double seconds = std::max({static_cast<double>(work.steps) / rates.logic,
                                   static_cast<double>(3 * rules.size()) / rates.popcounts,
                                   static_cast<double>(work.comparisons) / rates.loads});
  return static_cast<double>(work.symbols) * 64 / seconds;
}

DeviceBound device_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                         std::uint64_t rows, const cuda::DeviceRates& rates) {
  const Work work = work_of(rules, attributes, 2);
  const double words = static_cast<double>(rows) / 32;
  const double plane_bytes = static_cast<double>(work.planes_read) * static_cast<double>(rows) / 8;
  const auto logic = [&](std::uint64_t steps) {
    return words * static_cast<double>(steps) / rates.logic;
  };
  const auto popcounts = [&](std::uint64_t of_comparisons) {
    return words * static_cast<double>(3 * rules.size() + of_comparisons) / rates.popcounts;
  };
  const double shared = words * 8 * static_cast<double>(work.comparisons) / rates.shared;
  const double memory = plane_bytes / (plane_bytes <= rates.l2_bytes ? rates.l2 : rates.memory);
  const double all = static_cast<double>(work.symbols) * static_cast<double>(rows);

  const auto longest =
      std::max({std::pair{logic(work.steps), "logic"}, std::pair{popcounts(0), "popcounts"},
                std::pair{shared, "shared memory"}, std::pair{memory, "memory"}},
               [](const auto& a, const auto& b) { return a.first < b.first; });
  DeviceBound bound;
  bound.raw = all / longest.first;
  bound.limit = longest.second;
  bound.with_supports = all / std::max(longest.first, popcounts(work.comparisons));
  bound.effective = all / std::max({logic(work.shared_steps), popcounts(0), shared, memory});
  bound.plane_an_operation = all / logic(work.planes + work.connectives);
  return bound;
}

}  // namespace atl
