#include <algorithm>
#include <utility>

#include "src/bench/workload.hpp"
#include "src/core/random.hpp"
#include "src/generate/generate_stream.hpp"

namespace atl {
namespace {

constexpr std::uint64_t rule_seed = 1;

Comparison draw_equality(RandomStream& stream, std::uint32_t codes, std::uint32_t index) {
  const auto code = static_cast<std::uint32_t>(stream.below(std::max(1U, codes)));
  return {index, code, code, false};
}

Comparison draw_one_sided(RandomStream& stream, std::uint32_t codes, std::uint32_t index) {
  const auto bound = static_cast<std::uint32_t>(stream.below(codes - 1));
  const bool greater = stream.below(2) != 0;
  if (greater) return {index, bound + 1, codes - 1, false};
  return {index, 0, bound, false};
}

Comparison draw_interval(RandomStream& stream, std::uint32_t codes, std::uint32_t index) {
  const auto one = 1 + static_cast<std::uint32_t>(stream.below(codes - 2));
  const auto other = 1 + static_cast<std::uint32_t>(stream.below(codes - 2));
  return {index, std::min(one, other), std::max(one, other), false};
}

Comparison draw_comparison(RandomStream& stream, const Attribute& attribute, std::uint32_t index,
                           RuleShape shape) {
  const std::uint32_t codes = attribute.distinct();
  if (!attribute.ordered() || codes < 2) return draw_equality(stream, codes, index);
  if (shape == RuleShape::intervals && codes > 2) return draw_interval(stream, codes, index);
  return draw_one_sided(stream, codes, index);
}

/// The program of `comparisons` leaves, split in two at random: AND, below it OR, and so on; one in
/// four of those below the first negated.
void draw_program(RandomStream& stream, std::uint64_t comparisons, std::uint32_t depth,
                  Ops& program) {
  if (comparisons == 1) {
    program.push_back(Op::comparison);
    return;
  }
  const std::uint64_t left = 1 + stream.below(comparisons - 1);
  draw_program(stream, left, depth + 1, program);
  draw_program(stream, comparisons - left, depth + 1, program);
  program.push_back(depth % 2 == 0 ? Op::conjunction : Op::disjunction);
  if (depth > 0 && stream.below(4) == 0) program.push_back(Op::negation);
}

Expression draw_expression(RandomStream& stream, std::span<const Comparison> comparisons,
                           RuleShape shape) {
  if (shape != RuleShape::deep) return Expression::conjunction(comparisons);
  Ops program;
  draw_program(stream, comparisons.size(), 0, program);
  Comparisons leaves;
  for (const Comparison& comparison : comparisons) leaves.push_back(comparison);
  return Expression(program, leaves);
}

}  // namespace

const char* to_string(RuleShape shape) noexcept {
  switch (shape) {
    case RuleShape::one_sided:
      return "one-sided";
    case RuleShape::intervals:
      return "intervals";
    case RuleShape::deep:
      break;
  }
  return "deep";
}

std::vector<Rule> workload_rules(std::span<const Attribute> attributes, const Workload& workload) {
  const std::uint32_t comparisons = workload.comparisons;
  const std::uint32_t consequent = std::max(1U, comparisons / 3);
  const auto shared_before = [&](std::uint32_t rule) {
    return static_cast<std::size_t>(workload.shared * comparisons * rule);
  };
  std::vector<Rule> drawn;
  std::vector<std::uint32_t> order(attributes.size());
  std::vector<Comparison> chosen;
  std::vector<Comparison> before;  // what the rule before has drawn itself
  for (std::uint32_t r = 0; r < workload.rules; ++r) {
    RandomStream stream({rule_seed, static_cast<std::uint32_t>(GenerateStream::bench_rules), 0, r,
                         Purpose::generate});
    for (std::uint32_t a = 0; a < order.size(); ++a) order[a] = a;
    const std::size_t shared = std::min(before.size(), shared_before(r + 1) - shared_before(r));
    chosen.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shared));
    for (std::size_t c = 0; c < shared; ++c) {
      std::swap(order[c], *std::find(order.begin(), order.end(), chosen[c].attribute));
    }
    for (std::size_t c = shared; c < comparisons; ++c) {
      std::swap(order[c], order[c + stream.below(order.size() - c)]);
      chosen.push_back(draw_comparison(stream, attributes[order[c]], order[c], workload.shape));
    }
    before.assign(chosen.begin() + static_cast<std::ptrdiff_t>(shared), chosen.end());
    const std::span<const Comparison> all(chosen);
    Expression antecedent =
        draw_expression(stream, all.first(comparisons - consequent), workload.shape);
    drawn.push_back(
        {std::move(antecedent), draw_expression(stream, all.last(consequent), workload.shape)});
  }
  return drawn;
}

}  // namespace atl
