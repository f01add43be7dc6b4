// Bytes of islands of rules, and of what rules are made of and counted with, as checkpoints and
// migrants have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "islands/population.hpp"
#include "src/core/bytes.hpp"
#include "src/core/run_state.hpp"
#include "src/grammar/grammar.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// Every algorithm has this; what else it keeps is known to itself alone.
struct IslandState {
  std::uint32_t island = 0;
  std::vector<Individual> population;  ///< evaluated, in slot order
};

/// The state that an algorithm keeps beside the population, as bytes that it alone can read.
struct OwnState {
  std::uint32_t version = 0;  ///< of what the bytes mean; the algorithm's
  Bytes bytes;

  /// @throws BadBytes if they are of another version
  std::span<const std::byte> of_version(std::uint32_t wanted) const;
  friend bool operator==(const OwnState&, const OwnState&) = default;
};

/// An island as a checkpoint has it.
struct SavedIsland {
  IslandState state;
  OwnState own;
};

/// The layout that encode() writes: the population, then the algorithm's own state.
inline constexpr std::uint32_t island_state_version = 2;

/// Writes the state without the island's number, which the section's name tells.
void encode(ByteWriter& out, const IslandState& state, const OwnState& own);
/// @throws BadBytes if it is malformed or not of this grammar
SavedIsland decode_island(ByteReader& in, std::uint32_t island, const BoundGrammar& grammar);

Section section_of(const IslandState& state, const OwnState& own);
/// @throws BadBytes
SavedIsland island_of(const RunState& run, std::uint32_t island, const BoundGrammar& grammar);

void encode(ByteWriter& out, const ContingencyTable& table);
/// @throws BadBytes
ContingencyTable decode_table(ByteReader& in);

/// Derivation and counts, without coverage hashes.
void encode(ByteWriter& out, const Individual& individual);
/// @throws BadBytes
Individual decode_individual(ByteReader& in, const BoundGrammar& grammar);
/// Their number, then each of them.
void encode(ByteWriter& out, std::span<const Individual> individuals);
/// @throws BadBytes
std::vector<Individual> decode_individuals(ByteReader& in, const BoundGrammar& grammar);

}  // namespace atl
