#include "islands/operators.hpp"

#include <algorithm>

namespace atl {
namespace {

constexpr int tries = 4;

// Any node but the root, whose replacement would leave nothing of the rule.
std::size_t draw_node(const Derivation& derivation, RandomStream& stream) {
  return 1 + static_cast<std::size_t>(stream.below(derivation.size() - 1));
}

bool perturb_one(const BoundGrammar& grammar, Derivation& derivation, RandomStream& stream) {
  const auto nodes = grammar.comparison_nodes(derivation);
  return grammar.perturb(derivation, nodes[stream.below(nodes.size())], stream);
}

}  // namespace

bool subtree_crossover(const BoundGrammar& grammar, Derivation& child, const Derivation& donor,
                       RandomStream& stream) {
  if (child.size() < 2 || donor.size() < 2) return false;
  for (int attempt = 0; attempt < tries; ++attempt) {
    const std::size_t node = draw_node(child, stream);
    const std::uint32_t symbol = child[node].symbol;
    const auto fits = [symbol](const DerivationNode& other) { return other.symbol == symbol; };
    const auto matches = std::count_if(donor.begin() + 1, donor.end(), fits);
    if (matches == 0) continue;
    auto from = std::find_if(donor.begin() + 1, donor.end(), fits);
    for (auto skip = stream.below(static_cast<std::uint64_t>(matches)); skip > 0; --skip) {
      from = std::find_if(from + 1, donor.end(), fits);
    }
    if (grammar.graft(child, node, donor, static_cast<std::size_t>(from - donor.begin()))) {
      return true;
    }
  }
  return false;
}

bool mutate(const BoundGrammar& grammar, Derivation& derivation, RandomStream& stream) {
  if (derivation.size() < 2) return false;
  const auto first = stream.below(4);
  for (std::uint64_t i = 0; i < 4; ++i) {
    const auto operation = (first + i) % 4;
    for (int attempt = 0; attempt < tries; ++attempt) {
      bool changed = false;
      switch (operation) {
        case 0:
          changed = grammar.rederive(derivation, draw_node(derivation, stream), stream);
          break;
        case 1:
          changed = grammar.grow(derivation, draw_node(derivation, stream), stream);
          break;
        case 2:
          changed = grammar.shrink(derivation, draw_node(derivation, stream), stream);
          break;
        default:
          changed = perturb_one(grammar, derivation, stream);
          break;
      }
      if (changed) return true;
    }
  }
  return false;
}

}  // namespace atl
