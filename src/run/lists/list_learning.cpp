#include "src/run/lists/list_learning.hpp"

#include <map>

#include "islands/algorithms.hpp"
#include "islands/archipelago/whole_search.hpp"
#include "islands/list_results.hpp"

namespace atl {

std::optional<ListFront> learn_list(const Experiment& experiment, Resident& resident,
                                    ThreadPool& pool, const std::function<bool()>& stop) {
  const std::map<std::uint32_t, BoundGrammar> none;
  const auto search = make_search(experiment, IslandGrammars(none), resident);
  const auto state =
      search_to_end(experiment, *search, resident.dataset().fingerprint(), pool, stop);
  if (!state) return std::nullopt;
  return list_front(*search, *state);
}

}  // namespace atl
