#include "src/run/lists/list_learning.hpp"

#include <map>

#include "islands/algorithms.hpp"
#include "islands/archipelago/search.hpp"
#include "islands/list_results.hpp"
#include "src/data/dataset.hpp"

namespace atl {

std::optional<LearntFront> learn_list(const Experiment& experiment, Resident& resident,
                                      ThreadPool& pool, const std::function<bool()>& stop) {
  const std::map<std::uint32_t, BoundGrammar> none;
  const auto search = make_search(experiment, IslandGrammars(none), resident);
  GainWatch gains = list_gain_watch();
  const auto patience = static_cast<std::uint32_t>(experiment.patience);
  const auto done = [&](std::uint32_t at, const Results& found) {
    gains.look(at, list_worth(found));
    return gains.over(at, patience);
  };
  const auto state = search_to_end(experiment, *search, resident.dataset().fingerprint(), pool,
                                   stop, {generations_between_looks(patience), done});
  if (!state) return std::nullopt;
  const auto lists = list_results(*search, *state);
  LearntFront learnt{lists->front(), state->header.generation};
  gains.look(learnt.generations, list_worth(*lists));
  const bool patient = patience != 0 && experiment.migration == Migration::synchronous;
  learnt.gaining = patient && gains.goes_on(learnt.generations, patience);
  return learnt;
}

}  // namespace atl
