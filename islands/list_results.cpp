#include "islands/list_results.hpp"

#include <algorithm>

#include "islands/archipelago/run_sections.hpp"

namespace atl {
std::size_t most_rules_of(const Experiment& experiment, std::size_t classes) {
  constexpr std::size_t usual = 40, of_class = 4, many = 400;
  const auto most = static_cast<std::size_t>(experiment.settings.at("max_rules"));
  if (most != 0) return most;
  const std::size_t rules = std::min(of_class * classes, std::max(many, classes));
  return std::min<std::size_t>(std::max(usual, rules), most_list_rules);
}

// A search for lists has such results.
std::unique_ptr<ListResults> list_results(const Search& search, const RunState& state) {
  std::unique_ptr<Results> results = search.results();
  merge_results(state, *results);
  auto& lists = dynamic_cast<ListResults&>(*results);
  (void)results.release();
  return std::unique_ptr<ListResults>(&lists);
}

ArchiveWorth list_worth(const Results& results) {
  return {dynamic_cast<const ListResults&>(results).worth()};
}

GainWatch list_gain_watch() {
  return GainWatch(0.01);
}

}  // namespace atl
