#include "islands/partial_state.hpp"

#include <utility>

#include "islands/run_sections.hpp"

namespace atl {

RunState StateAssembler::assemble(PartialState parts) {
  std::vector<RunState> all = {std::move(parts.own)};
  for (const Bytes& bytes : parts.others) all.push_back(decode_run_state(bytes));
  RunState run;
  run.header = all.front().header;
  const auto results = search_.results();
  for (RunState& part : all) {
    ByteReader in(part.section(results_section, results->version()));
    results->merge(in);
    in.expect_end();
    add_to_history(history_, history_of(part));
    // Ranks have runs of neighbouring islands, so these come in order.
    for (Section& section : part.sections) {
      if (is_island_section(section.name)) run.sections.push_back(std::move(section));
    }
  }
  run.sections.push_back(section_of(*results));
  run.sections.push_back(history_section(history_));
  return run;
}

}  // namespace atl
