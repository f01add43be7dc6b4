#include "islands/list_results.hpp"

#include "islands/archipelago/run_sections.hpp"

namespace atl {

ListFront list_front(const Search& search, const RunState& state) {
  const auto results = search.results();
  merge_results(state, *results);
  // A search for lists has such results.
  return dynamic_cast<const ListResults&>(*results).front();
}

}  // namespace atl
