#include "islands/population.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace atl {
namespace {

constexpr int mutated_attempts = 3;
constexpr int derived_attempts = 8;

}  // namespace

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
