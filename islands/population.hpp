#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "islands/individual.hpp"

namespace atl {

/// Finds an individual with an equal rule. Holds pointers: what was added must stay where it is.
class RuleIndex {
 public:
  /// Empties it and makes room for `capacity` individuals.
  void reset(std::size_t capacity);
  /// Inserts an individual. False, and nothing changed, if there is an equal rule.
  /// @pre there is room
  bool insert(const Individual& individual);
  void insert_all(std::span<const Individual> individuals);
  /// Finds an equal individual; null if there is none.
  const Individual* find(const Individual& like) const noexcept;

 private:
  struct Entry {
    std::uint64_t key;
    const Individual* individual;  // null: free
  };
  std::size_t place(const Individual& sought) const noexcept;

  std::vector<Entry> entries_;  // open addressing, a power of two, at most half full
};

/// Derives distinct rules at random, not evaluated; fewer than `size` if that many are not found.
std::vector<Individual> derive_population(const BoundGrammar& grammar, std::uint64_t seed,
                                          std::uint32_t island, std::uint32_t size,
                                          std::uint32_t generation = 0);

/// A rule that is not in the index, got by mutating `derivation` or, after a few attempts, by
/// deriving it anew; false if that fails, too. Draws nothing if it is distinct already.
/// @pre it stands for the rule of its derivation
bool make_distinct(const BoundGrammar& grammar, const RuleIndex& index, RandomStream& stream,
                   Individual& individual);

}  // namespace atl
