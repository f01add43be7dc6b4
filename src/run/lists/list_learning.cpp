#include "src/run/lists/list_learning.hpp"

#include <algorithm>

#include "islands/algorithms.hpp"
#include "islands/archipelago/archipelago.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/list_results.hpp"
#include "src/core/communicator.hpp"

namespace atl {

namespace {

/// Generations after which the islands wait for each other, to see whether they are to stop.
constexpr std::uint32_t between_looks = 5;

}  // namespace

std::optional<ListFront> learn_list(const Experiment& experiment, Resident& resident,
                                    ThreadPool& pool, const std::function<bool()>& stop) {
  LocalCommunicator alone;
  const std::map<std::uint32_t, BoundGrammar> none;
  const auto search = make_search(experiment, IslandGrammars(none), resident);
  Archipelago archipelago(experiment, *search, resident.dataset().fingerprint(), pool, alone);
  archipelago.advance(0);
  while (archipelago.generation() < experiment.generations) {
    if (stop()) return std::nullopt;
    archipelago.advance(std::min(archipelago.generation() + between_looks, experiment.generations));
  }
  const auto state = archipelago.whole_state();
  return list_front(*search, *state);
}

}  // namespace atl
