#include "islands/partial_state.hpp"

#include <utility>

#include "islands/archive_section.hpp"
#include "islands/run_sections.hpp"

namespace atl {

RunState StateAssembler::assemble(PartialState parts) {
  std::vector<RunState> all = {std::move(parts.own)};
  for (const Bytes& bytes : parts.others) all.push_back(decode_run_state(bytes));
  RunState run;
  run.header = all.front().header;
  Archive archive = archive_of(all.front(), attributes_);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (rank > 0) archive.merge(archive_of(all[rank], attributes_));
    add_to_history(history_, history_of(all[rank]));
    // Ranks have runs of neighbouring islands, so these come in order.
    for (Section& section : all[rank].sections) {
      if (is_island_section(section.name)) run.sections.push_back(std::move(section));
    }
  }
  run.sections.push_back(section_of(archive));
  run.sections.push_back(history_section(history_));
  return run;
}

}  // namespace atl
