#include "islands/rule_state.hpp"

#include <utility>

#include "islands/archipelago/run_sections.hpp"
#include "islands/rule_bytes.hpp"

namespace atl {

std::span<const std::byte> OwnState::of_version(std::uint32_t wanted) const {
  require_bytes(version == wanted, "what the algorithm keeps is of another version of atoll");
  return bytes;
}

void encode(ByteWriter& out, const IslandState& state, const OwnState& own) {
  encode(out, state.population);
  out.put(own.version);
  out.put_all(std::span<const std::byte>(own.bytes));
}

SavedIsland decode_island(ByteReader& in, std::uint32_t island, const BoundGrammar& grammar) {
  SavedIsland saved;
  saved.state.island = island;
  saved.state.population = decode_individuals(in, grammar);
  saved.own.version = in.get<std::uint32_t>();
  saved.own.bytes = in.get_all<std::byte>();
  return saved;
}

Section section_of(const IslandState& state, const OwnState& own) {
  ByteWriter out;
  encode(out, state, own);
  return {island_section(state.island), island_state_version, std::move(out).take()};
}

SavedIsland island_of(const RunState& run, std::uint32_t island, const BoundGrammar& grammar) {
  ByteReader in(run.section(island_section(island), island_state_version));
  SavedIsland saved = decode_island(in, island, grammar);
  in.expect_end();
  return saved;
}

}  // namespace atl
