#include "islands/partial_state.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "islands/run_sections.hpp"

namespace atl {

namespace {

Section merged_results(const Search& search, std::span<RunState> parts) {
  auto& sections = parts.front().sections;
  const auto own = std::find_if(sections.begin(), sections.end(),
                                [](const Section& s) { return s.name == results_section; });
  if (parts.size() == 1 && own != sections.end()) return std::move(*own);
  const auto results = search.results();
  for (const RunState& part : parts) {
    ByteReader in(part.section(results_section, results->version()));
    results->merge(in);
    in.expect_end();
  }
  return section_of(*results);
}

}  // namespace

RunState StateAssembler::assemble(PartialState parts) {
  std::vector<RunState> all = {std::move(parts.own)};
  for (const Bytes& bytes : parts.others) all.push_back(decode_run_state(bytes));
  RunState run;
  run.header = all.front().header;
  std::vector<HistoryRow> last;
  for (RunState& part : all) {
    History history = history_of(part);
    add_to_history(kept_, std::move(history.kept));
    // Ranks have runs of neighbouring islands, so these come in order.
    std::move(history.last.begin(), history.last.end(), std::back_inserter(last));
    for (Section& section : part.sections) {
      if (is_island_section(section.name)) run.sections.push_back(std::move(section));
    }
  }
  run.sections.push_back(merged_results(search_, all));
  run.sections.push_back(history_section({kept_, std::move(last)}));
  return run;
}

}  // namespace atl
