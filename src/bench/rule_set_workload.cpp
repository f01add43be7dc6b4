#include "src/bench/rule_set_workload.hpp"

#include <algorithm>
#include <utility>

#include "src/core/random.hpp"
#include "src/generate/generate_stream.hpp"

namespace atl {

namespace {

constexpr std::uint64_t list_seed = 1;
/// Comparisons of a rule that move to another one at most, so that lengths differ.
constexpr std::uint64_t most_moved = 3;

/// [rules] comparisons of each: c of a rule have 4 c - 1 symbols.
std::vector<std::uint32_t> draw_lengths(RandomStream& stream, std::size_t rules, double symbols) {
  const auto all = static_cast<std::size_t>((symbols + static_cast<double>(rules)) / 4 + 0.5);
  std::vector<std::uint32_t> lengths(rules);
  for (std::size_t r = 0; r < rules; ++r) {
    const std::size_t share = all * (r + 1) / rules - all * r / rules;
    lengths[r] = static_cast<std::uint32_t>(std::max<std::size_t>(share, 1));
  }
  for (std::size_t r = 0; r + 1 < rules; r += 2) {
    const std::uint64_t most = std::min<std::uint64_t>(most_moved, lengths[r] - 1);
    const auto moved = static_cast<std::uint32_t>(stream.below(most + 1));
    lengths[r] -= moved;
    lengths[r + 1] += moved;
  }
  return lengths;
}

Comparison draw_comparison_on(RandomStream& stream, const Attribute& attribute,
                              std::uint32_t index) {
  const std::uint32_t codes = attribute.distinct();
  const bool second = stream.below(2) != 0;
  if (attribute.ordered() && codes > 1) {
    const auto bound = static_cast<std::uint32_t>(stream.below(codes - 1));
    if (second) return {index, bound + 1, codes - 1, false};
    return {index, 0, bound, false};
  }
  const auto code = static_cast<std::uint32_t>(stream.below(std::max(1U, codes)));
  return {index, code, code, second};
}

/// @param order  the attributes that antecedents name; what was drawn comes first afterwards
Expression draw_antecedent(RandomStream& stream, std::span<const Attribute> attributes,
                           std::uint32_t comparisons, RuleSetShape shape,
                           std::vector<std::uint32_t>& order) {
  Ops program;
  Comparisons leaves;
  for (std::uint32_t c = 0; c < comparisons; ++c) {
    const std::size_t place = c % order.size();  // all attributes once before one comes again
    std::swap(order[place], order[place + stream.below(order.size() - place)]);
    leaves.push_back(draw_comparison_on(stream, attributes[order[place]], order[place]));
    program.push_back(Op::comparison);
    const bool grammar = shape == RuleSetShape::grammar;
    if (c > 0) {
      program.push_back(grammar && stream.below(2) != 0 ? Op::disjunction : Op::conjunction);
    }
    if (grammar && stream.below(4) == 0) program.push_back(Op::negation);
  }
  return Expression(program, leaves);
}

}  // namespace

const char* to_string(RuleSetShape shape) noexcept {
  return shape == RuleSetShape::conjunctions ? "conjunctions" : "grammar";
}

std::vector<RuleSet> workload_lists(std::span<const Attribute> attributes,
                                    std::uint32_t class_attribute,
                                    const RuleSetWorkload& workload) {
  const Attribute& label = attributes[class_attribute];
  const std::uint32_t classes = label.distinct();
  const auto most = std::max_element(label.counts.begin(), label.counts.end());
  std::vector<std::uint32_t> order;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    if (a != class_attribute) order.push_back(a);
  }
  std::vector<RuleSet> lists(workload.lists);
  for (std::uint32_t l = 0; l < workload.lists; ++l) {
    RandomStream stream({list_seed, static_cast<std::uint32_t>(GenerateStream::bench_lists), 0, l,
                         Purpose::generate});
    const auto lengths = draw_lengths(stream, classes, workload.symbols);
    for (std::uint32_t c = 0; c < classes; ++c) {
      std::sort(order.begin(), order.end());
      lists[l].rules.push_back(
          {draw_antecedent(stream, attributes, lengths[c], workload.shape, order), c});
    }
    if (most != label.counts.end()) {
      lists[l].default_class = static_cast<std::uint32_t>(most - label.counts.begin());
    }
  }
  return lists;
}

}  // namespace atl
