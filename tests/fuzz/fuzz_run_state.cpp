// Bytes of a checkpoint: refused with a reason, or a state that encodes to the same bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "islands/run_state.hpp"
#include "tests/fuzz/run_state_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const atl::RunState state = atl::decode_run_state(bytes, atl::fuzz::grammar);
    const atl::RunStateHeader header = atl::decode_header(bytes);
    if (header.generation != state.header.generation) std::abort();
    for (const atl::IslandState& island : state.islands) {
      for (const atl::Individual& individual : island.population) {
        if (!atl::sides_disjoint(individual.rule)) std::abort();
      }
    }
    const atl::Bytes again = atl::encode(state);
    if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
  } catch (const atl::BadBytes&) {
  }
  return 0;
}
