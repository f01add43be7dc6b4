#include "islands/list_results.hpp"

#include <algorithm>
#include <memory>

#include "islands/archipelago/run_sections.hpp"

namespace atl {
namespace {

/// Calls a function on the results of a state. A search for lists has such results.
template <typename Function>
auto with_lists(const Search& search, const RunState& state, Function&& function) {
  const std::unique_ptr<Results> results = search.results();
  merge_results(state, *results);
  return function(dynamic_cast<const ListResults&>(*results));
}

}  // namespace

std::size_t most_rules_of(const Experiment& experiment, std::size_t classes) {
  constexpr std::size_t usual = 40, of_class = 4, many = 400;
  const auto most = static_cast<std::size_t>(experiment.settings.at("max_rules"));
  if (most != 0) return most;
  const std::size_t rules = std::min(of_class * classes, std::max(many, classes));
  return std::min<std::size_t>(std::max(usual, rules), most_list_rules);
}

ListFront list_front(const Search& search, const RunState& state) {
  return with_lists(search, state, [](const ListResults& lists) { return lists.front(); });
}

ArchiveWorth list_worth(const Search& search, const RunState& state) {
  return {with_lists(search, state, [](const ListResults& lists) { return lists.worth(); })};
}

GainWatch list_gain_watch() {
  return GainWatch(0.01);
}

}  // namespace atl
