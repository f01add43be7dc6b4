#include "islands/population.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

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

constexpr int mutated_attempts = 3;
constexpr int derived_attempts = 8;

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

void RuleIndex::reset(std::size_t capacity) {
  entries_.assign(std::bit_ceil(2 * std::max<std::size_t>(capacity, 1)), {0, nullptr});
}

/// Place where an equal rule is, or would have to be.
std::size_t RuleIndex::place(const Individual& sought) const noexcept {
  assert(sought.key == hash(sought.rule));
  const std::size_t mask = entries_.size() - 1;
  std::size_t at = sought.key & mask;
  for (; entries_[at].individual != nullptr; at = (at + 1) & mask) {
    if (entries_[at].key == sought.key && entries_[at].individual->rule == sought.rule) break;
  }
  return at;
}

bool RuleIndex::insert(const Individual& individual) {
  Entry& entry = entries_[place(individual)];
  if (entry.individual != nullptr) return false;
  entry = {individual.key, &individual};
  return true;
}

void RuleIndex::insert_all(std::span<const Individual> individuals) {
  for (const Individual& individual : individuals) insert(individual);
}

const Individual* RuleIndex::find(const Individual& like) const noexcept {
  return entries_[place(like)].individual;
}

bool make_distinct(const BoundGrammar& grammar, const RuleIndex& index, RandomStream& stream,
                   Individual& individual) {
  for (int attempt = 0;; ++attempt) {
    if (index.find(individual) == nullptr) return true;
    if (attempt == mutated_attempts + derived_attempts) return false;
    if (attempt >= mutated_attempts || !mutate(grammar, individual.derivation, stream)) {
      individual.derivation = grammar.derive(stream);
    }
    individual.stand_for_derivation(grammar);
  }
}

std::vector<Individual> derive_population(const BoundGrammar& grammar, std::uint64_t seed,
                                          std::uint32_t island, std::uint32_t size,
                                          std::uint32_t generation) {
  std::vector<Individual> population;
  population.reserve(size);
  RuleIndex index;
  index.reset(size);
  for (std::uint32_t slot = 0; slot < size; ++slot) {
    RandomStream stream({seed, island, generation, slot, Purpose::initialise});
    Individual individual;
    individual.derivation = grammar.derive(stream);
    individual.stand_for_derivation(grammar);
    if (!make_distinct(grammar, index, stream, individual)) continue;
    population.push_back(std::move(individual));
    index.insert(population.back());
  }
  return population;
}

}  // namespace atl
