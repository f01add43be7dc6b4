// What an island of rules hands from one generation to the next, and its bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "islands/individual.hpp"
#include "src/core/bytes.hpp"
#include "src/core/run_state.hpp"
#include "src/grammar/grammar.hpp"

namespace atl {

struct IslandState {
  std::uint32_t island = 0;
  std::vector<Individual> population;  ///< evaluated, in slot order
  // What only some algorithms keep; the others leave it as it is here.
  std::vector<Individual> pool;        ///< good rules beside the population
  std::vector<double> success;         ///< [operations] share of an operation's children that won
  std::vector<std::uint32_t> covered;  ///< [rows of the sample] good rules of former populations
  std::uint32_t replaced = 0;          ///< since stagnation was last looked for
  bool stagnant = false;               ///< the next generation begins anew
};

/// Of what encode() writes.
inline constexpr std::uint32_t island_state_version = 1;

/// Without the island's number, which the section's name tells.
void encode(ByteWriter& out, const IslandState& state);
/// @throws BadBytes if it is malformed or not of this grammar
IslandState decode_island_state(ByteReader& in, std::uint32_t island, const BoundGrammar& grammar);

Section section_of(const IslandState& state);
/// @throws BadBytes
IslandState island_of(const RunState& run, std::uint32_t island, const BoundGrammar& grammar);

}  // namespace atl
