// Bytes of a checkpoint: refused with a reason, or a state that encodes to the same bytes. So is
// each of its sections.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "io/run/checkpoint_files.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/archive_section.hpp"
#include "islands/niching/niching_state.hpp"
#include "islands/rule_bytes.hpp"
#include "tests/fuzz/run_state_table.hpp"

namespace {

void expect_equal(const atl::Bytes& again, std::span<const std::byte> bytes) {
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
}

/// Calls `look`, which refuses what is no section of ours.
template <typename Look>
void unless_refused(const Look& look) {
  try {
    look();
  } catch (const atl::BadBytes&) {
  }
}

void look_into_island(const atl::Section& section) {
  atl::ByteReader in(section.bytes);
  const atl::SavedIsland island = atl::decode_island(in, 0, atl::fuzz::grammar);
  in.expect_end();
  for (const atl::Individual& individual : island.state.population) {
    if (!atl::sides_disjoint(individual.rule)) std::abort();
  }
  expect_equal(atl::section_of(island.state, island.own).bytes, section.bytes);
  // Whichever algorithm keeps it: what the one refuses, the other may take.
  unless_refused([&] {
    expect_equal(atl::encode(atl::decode_niching_state(island.own)).bytes, island.own.bytes);
  });
  unless_refused([&] {
    atl::ByteReader pool(island.own.bytes);
    atl::ByteWriter again;
    atl::encode(again, atl::decode_individuals(pool, atl::fuzz::grammar));
    pool.expect_end();
    expect_equal(again.bytes(), island.own.bytes);
  });
}

void look_into_histories(const atl::RunState& state) {
  const auto islands = atl::island_histories_of(state);
  if (islands.empty()) return;
  atl::RunState again;
  again.sections = {atl::section_of(islands)};
  if (atl::island_histories_of(again).size() != islands.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  unless_refused([&] {
    const atl::RunState state = atl::decode_run_state(bytes);
    expect_equal(atl::encode(state), bytes);
    for (const atl::Section& section : state.sections) {
      if (!atl::island_of_section(section.name)) continue;
      unless_refused([&] { look_into_island(section); });
    }
    unless_refused([&] {
      const auto results = atl::results_of(state, atl::archive_version);
      const atl::Archive archive = atl::archive_of(state, atl::fuzz::table);
      if (results.size() == 1) expect_equal(atl::section_of(archive).bytes, results.front());
    });
    for (const atl::Section& section : state.sections) {
      unless_refused([&] {
        const auto rows = atl::decode_history_rows(section.bytes);
        expect_equal(atl::encode(std::span<const atl::HistoryRow>(rows)), section.bytes);
      });
    }
    unless_refused([&] { look_into_histories(state); });
    unless_refused([&] { (void)atl::io::decode_manifest(bytes); });
    unless_refused([&] {
      const atl::Section again = atl::history_section(atl::history_of(state));
      expect_equal(again.bytes, state.section(again.name, again.version));
    });
  });
  return 0;
}
