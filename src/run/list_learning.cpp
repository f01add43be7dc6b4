#include "src/run/list_learning.hpp"

#include "islands/algorithms.hpp"
#include "islands/archipelago.hpp"
#include "islands/list_results.hpp"
#include "islands/run_sections.hpp"
#include "src/core/communicator.hpp"

namespace atl {

ListFront learn_list(const Experiment& experiment, Resident& resident, ThreadPool& pool) {
  LocalCommunicator alone;
  const std::map<std::uint32_t, BoundGrammar> none;
  const auto search = make_search(experiment, IslandGrammars(none), resident);
  Archipelago archipelago(experiment, *search, resident.dataset().fingerprint(), pool, alone);
  archipelago.initialise();
  while (archipelago.generation() < experiment.generations) {
    archipelago.advance(experiment.generations);
    (void)archipelago.exchange();
  }
  const auto state = archipelago.whole_state();
  return list_front(*search, *state);
}

}  // namespace atl
