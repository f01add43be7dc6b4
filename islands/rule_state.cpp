#include "islands/rule_state.hpp"

#include <span>
#include <utility>

#include "islands/archipelago/run_sections.hpp"
#include "islands/operators.hpp"
#include "islands/rule_bytes.hpp"

namespace atl {

namespace {

void put(ByteWriter& out, std::span<const Individual> individuals) {
  out.put(static_cast<std::uint64_t>(individuals.size()));
  for (const Individual& individual : individuals) encode(out, individual);
}

std::vector<Individual> get_individuals(ByteReader& in, const BoundGrammar& grammar) {
  std::vector<Individual> individuals(in.get_count(least_individual_bytes));
  for (Individual& individual : individuals) individual = decode_individual(in, grammar);
  return individuals;
}

}  // namespace

void encode(ByteWriter& out, const IslandState& state) {
  put(out, state.population);
  put(out, state.pool);
  out.put_all(std::span<const double>(state.success));
  out.put_all(std::span<const std::uint32_t>(state.covered));
  out.put(state.replaced);
  out.put(static_cast<std::uint8_t>(state.stagnant));
}

IslandState decode_island_state(ByteReader& in, std::uint32_t island, const BoundGrammar& grammar) {
  IslandState state;
  state.island = island;
  state.population = get_individuals(in, grammar);
  state.pool = get_individuals(in, grammar);
  state.success = in.get_all<double>();
  require_bytes(state.success.empty() || state.success.size() == operations,
                "an island has rates of unknown operations");
  for (const double rate : state.success) {
    require_bytes(rate >= 0 && rate <= 1, "the success of an operation is no share");
  }
  state.covered = in.get_all<std::uint32_t>();
  state.replaced = in.get<std::uint32_t>();
  state.stagnant = in.get_flag();
  return state;
}

Section section_of(const IslandState& state) {
  ByteWriter out;
  encode(out, state);
  return {island_section(state.island), island_state_version, std::move(out).take()};
}

IslandState island_of(const RunState& run, std::uint32_t island, const BoundGrammar& grammar) {
  ByteReader in(run.section(island_section(island), island_state_version));
  IslandState state = decode_island_state(in, island, grammar);
  in.expect_end();
  return state;
}

}  // namespace atl
