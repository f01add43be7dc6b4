// The operators of g3parm, which go by the supports of single comparisons.
#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "islands/g3parm/g3parm.hpp"

namespace atl {

namespace {

// Support of the comparison of a derivation by those of one side of its canonical rule.
std::uint64_t find_support(const Comparison& comparison, std::span<const Comparison> canonical_side,
                           std::span<const std::uint64_t> supports) {
  std::uint64_t merged = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < canonical_side.size(); ++i) {
    if (canonical_side[i].attribute != comparison.attribute) continue;
    if (canonical_side[i] == comparison) return supports[i];
    merged = std::min(merged, supports[i]);
  }
  assert(merged != std::numeric_limits<std::uint64_t>::max());
  return merged;
}

bool names_attribute(const Expression& expression, std::uint32_t attribute) {
  const auto comparisons = expression.comparisons();
  return std::any_of(comparisons.begin(), comparisons.end(),
                     [attribute](const Comparison& c) { return c.attribute == attribute; });
}

std::size_t weakest(const WeighedDerivation& child) {
  return static_cast<std::size_t>(std::min_element(child.supports.begin(), child.supports.end()) -
                                  child.supports.begin());
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

WeighedDerivation weigh(const BoundGrammar& grammar, const Individual& individual) {
  const auto& [antecedent, consequent] = individual.rule;
  const std::span<const std::uint64_t> supports = individual.statistics.comparison_supports;
  const std::size_t split = antecedent.comparisons().size();
  assert(supports.size() == individual.rule.comparisons());

  WeighedDerivation weighed;
  weighed.derivation = individual.derivation;
  weighed.nodes = grammar.comparison_nodes(individual.derivation);
  for (const std::size_t node : weighed.nodes) {
    const Comparison& raw = individual.derivation[node].comparison;
    const Comparison comparison = canonical(raw, grammar.attributes()[raw.attribute].distinct());
    // Sides share no attribute, so the attribute tells the side.
    weighed.supports.push_back(
        names_attribute(antecedent, comparison.attribute)
            ? find_support(comparison, antecedent.comparisons(), supports.first(split))
            : find_support(comparison, consequent.comparisons(), supports.subspan(split)));
  }
  return weighed;
}

bool crossover_by_support(const BoundGrammar& grammar, WeighedDerivation& child,
                          const WeighedDerivation& donor) {
  const std::size_t target = weakest(child);
  const std::size_t node = child.nodes[target];
  const Comparison old = child.derivation[node].comparison;

  Positions order(donor.nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return donor.supports[a] > donor.supports[b];
  });
  for (const std::size_t candidate : order) {
    const std::size_t from = donor.nodes[candidate];
    if (donor.derivation[from].comparison == old) continue;
    if (!graft_comparison(grammar, child.derivation, node, donor.derivation, from)) continue;
    child.nodes = grammar.comparison_nodes(child.derivation);
    child.supports[target] = donor.supports[candidate];
    return true;
  }
  return false;
}

bool mutate_weakest(const BoundGrammar& grammar, WeighedDerivation& child, RandomStream& stream) {
  const std::size_t node = child.nodes[weakest(child)];
  return grammar.rederive(child.derivation, top_of_chain(child.derivation, node), stream);
}

}  // namespace atl
