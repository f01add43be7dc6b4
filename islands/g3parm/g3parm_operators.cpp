// The operators of g3parm, which go by the supports of single comparisons.
#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "islands/g3parm/g3parm.hpp"

namespace atl {
namespace {

constexpr auto none = std::numeric_limits<std::uint64_t>::max();

// Support of the comparison of a derivation by those of one side of its canonical rule, if the side
// names its attribute.
std::uint64_t find_support(const Comparison& comparison, std::span<const Comparison> canonical_side,
                           std::span<const std::uint64_t> supports) {
  std::uint64_t merged = none;
  for (std::size_t i = 0; i < canonical_side.size(); ++i) {
    if (canonical_side[i].attribute != comparison.attribute) continue;
    if (canonical_side[i] == comparison) return supports[i];
    merged = std::min(merged, supports[i]);
  }
  return merged;
}

std::size_t weakest(std::span<const std::uint64_t> supports) {
  return static_cast<std::size_t>(std::min_element(supports.begin(), supports.end()) -
                                  supports.begin());
}

// First of the nodes from `leaf` upwards that stand for this comparison and nothing else.
std::size_t top_of_chain(const Derivation& derivation, std::size_t leaf) {
  std::size_t top = leaf;
  while (top > 1 && derivation[top - 1].size == derivation[top].size + 1) --top;
  return top;
}

// Grafts the donor's comparison onto the child's, each with as little around it as makes their
// symbols equal.
bool graft_comparison(const BoundGrammar& grammar, Derivation& child, std::size_t leaf,
                      const Derivation& donor, std::size_t donor_leaf) {
  const std::size_t top = top_of_chain(child, leaf);
  const std::size_t donor_top = top_of_chain(donor, donor_leaf);
  for (std::size_t node = leaf + 1; node-- > top;) {
    for (std::size_t from = donor_leaf + 1; from-- > donor_top;) {
      if (child[node].symbol == donor[from].symbol) {
        return grammar.graft(child, node, donor, from);
      }
    }
  }
  return false;
}

}  // namespace

Weights weigh(const BoundGrammar& grammar, const Individual& individual) {
  const auto& [antecedent, consequent] = individual.rule;
  const std::span<const std::uint64_t> supports = individual.statistics.comparison_supports;
  const std::size_t split = antecedent.comparisons().size();
  assert(supports.size() == individual.rule.comparisons());

  Weights weights;
  weights.nodes = grammar.comparison_nodes(individual.derivation);
  for (const std::size_t node : weights.nodes) {
    const Comparison comparison =
        canonical(individual.derivation[node].comparison, grammar.attributes());
    // Sides share no attribute, so the attribute tells the side.
    auto support = find_support(comparison, antecedent.comparisons(), supports.first(split));
    if (support == none)
      support = find_support(comparison, consequent.comparisons(), supports.subspan(split));
    assert(support != none);
    weights.supports.push_back(support);
  }
  return weights;
}

bool crossover_by_support(const BoundGrammar& grammar, Derivation& child, Weights& weights,
                          const Derivation& donor, const Weights& donor_weights) {
  const std::size_t target = weakest(weights.supports);
  const std::size_t node = weights.nodes[target];
  const Comparison old = child[node].comparison;

  const auto& supports = donor_weights.supports;
  Positions order(supports.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return supports[a] != supports[b] ? supports[a] > supports[b] : a < b;
  });
  for (const std::size_t candidate : order) {
    const std::size_t from = donor_weights.nodes[candidate];
    if (donor[from].comparison == old) continue;
    if (!graft_comparison(grammar, child, node, donor, from)) continue;
    weights.supports[target] = supports[candidate];
    return true;
  }
  return false;
}

bool mutate_weakest(const BoundGrammar& grammar, Derivation& child,
                    std::span<const std::uint64_t> supports, RandomStream& stream) {
  const std::size_t node = grammar.comparison_nodes(child)[weakest(supports)];
  return grammar.rederive(child, top_of_chain(child, node), stream);
}

}  // namespace atl
