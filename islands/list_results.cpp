#include "islands/list_results.hpp"

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

ListFront list_front(const Search& search, const RunState& state) {
  return with_lists(search, state, [](const ListResults& lists) { return lists.front(); });
}

ArchiveWorth list_worth(const Search& search, const RunState& state) {
  const auto [unseen, fitness] =
      with_lists(search, state, [](const ListResults& lists) { return lists.worth(); });
  return {unseen, fitness, 0};
}

GainWatch list_gain_watch() {
  return GainWatch(0.01);
}

}  // namespace atl
