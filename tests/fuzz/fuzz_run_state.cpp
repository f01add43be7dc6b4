// Bytes of a checkpoint: refused with a reason, or a state that encodes to the same bytes. So is
// each of its sections.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "islands/archive_section.hpp"
#include "islands/rule_state.hpp"
#include "islands/run_sections.hpp"
#include "tests/fuzz/run_state_table.hpp"

namespace {

void expect_equal(const atl::Bytes& again, std::span<const std::byte> bytes) {
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
}

void look_into_island(const atl::Section& section) {
  atl::ByteReader in(section.bytes);
  const atl::IslandState island = atl::decode_island_state(in, 0, atl::fuzz::grammar);
  in.expect_end();
  for (const atl::Individual& individual : island.population) {
    if (!atl::sides_disjoint(individual.rule)) std::abort();
  }
  expect_equal(atl::section_of(island).bytes, section.bytes);
}

/// Calls `look`, which refuses what is no section of ours.
template <typename Look>
void unless_refused(const Look& look) {
  try {
    look();
  } catch (const atl::BadBytes&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  unless_refused([&] {
    const atl::RunState state = atl::decode_run_state(bytes);
    const atl::RunStateHeader header = atl::decode_header(bytes);
    if (header.generation != state.header.generation) std::abort();
    expect_equal(atl::encode(state), bytes);
    for (const atl::Section& section : state.sections) {
      if (!atl::is_island_section(section.name)) continue;
      unless_refused([&] { look_into_island(section); });
    }
    unless_refused([&] {
      const atl::Archive archive = atl::archive_of(state, atl::fuzz::table);
      expect_equal(atl::section_of(archive).bytes,
                   state.section(atl::results_section, atl::archive_version));
    });
    unless_refused([&] {
      const atl::Section again = atl::history_section(atl::history_of(state));
      expect_equal(again.bytes, state.section(again.name, again.version));
    });
  });
  return 0;
}
