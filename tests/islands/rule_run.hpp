// The state of a run whose islands search for rules, with its sections opened.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "islands/archipelago/run_sections.hpp"
#include "islands/archive_section.hpp"
#include "islands/rule_bytes.hpp"
#include "src/core/run_state.hpp"
#include "src/grammar/island_grammars.hpp"

namespace atl::test {

struct RuleRun {
  RunStateHeader header;
  std::vector<IslandState> islands;  ///< from 0
  std::vector<OwnState> own;         ///< [islands] what their algorithms keep
  Archive archive{Measure::leverage, 0};
  History history;
};

/// @throws BadBytes if a section is malformed or missing, or there is one of another name
inline RuleRun open_run(const RunState& state, const IslandGrammars& grammars) {
  RuleRun run;
  run.header = state.header;
  const auto islands =
      std::count_if(state.sections.begin(), state.sections.end(),
                    [](const Section& s) { return island_of_section(s.name).has_value(); });
  if (state.sections.size() != static_cast<std::size_t>(islands) + 2) {
    throw BadBytes("a section of no known name");
  }
  for (std::uint32_t i = 0; i < islands; ++i) {
    SavedIsland island = island_of(state, i, grammars.of(i));
    run.islands.push_back(std::move(island.state));
    run.own.push_back(std::move(island.own));
  }
  run.archive = archive_of(state, grammars.attributes());
  run.history = history_of(state);
  return run;
}

inline RunState close_run(const RuleRun& run) {
  RunState state;
  state.header = run.header;
  for (std::size_t i = 0; i < run.islands.size(); ++i)
    state.sections.push_back(section_of(run.islands[i], run.own[i]));
  state.sections.push_back(section_of(run.archive));
  state.sections.push_back(history_section(run.history));
  return state;
}

inline Bytes encode(const RuleRun& run) {
  return encode(close_run(run));
}

inline RuleRun decode_rule_run(std::span<const std::byte> bytes, const IslandGrammars& grammars) {
  return open_run(decode_run_state(bytes), grammars);
}

}  // namespace atl::test
