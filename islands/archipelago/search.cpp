#include "islands/archipelago/search.hpp"

#include <algorithm>
#include <chrono>

#include "islands/archipelago/archipelago.hpp"
#include "src/core/communicator.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {
namespace {

/// Generations after which the islands wait for each other, to see whether they are to stop.
constexpr std::uint32_t between_looks = 5;

void advance_asynchronously(Archipelago& archipelago, std::uint32_t last) {
  archipelago.start(last);
  while (!archipelago.stopped()) {
    archipelago.poll();
    archipelago.wait();
  }
  archipelago.stop();
  archipelago.drain();
}

}  // namespace

std::optional<RunState> search_to_end(const Experiment& experiment, Search& search,
                                      const Fingerprint& dataset, ThreadPool& pool,
                                      const std::function<bool()>& stop, const SearchLooks& looks) {
  const auto start = std::chrono::steady_clock::now();
  LocalCommunicator alone;
  Archipelago archipelago(experiment, search, dataset, pool, alone);
  const bool asynchronous = experiment.migration == Migration::asynchronous;
  const std::uint32_t every = asynchronous ? 0 : looks.every;
  archipelago.advance(0);
  while (archipelago.generation() < experiment.generations) {
    if (stop()) return std::nullopt;
    if (experiment.time_limit > 0 && seconds_since(start) >= experiment.time_limit) break;
    const std::uint32_t at = archipelago.generation();
    std::uint32_t next = std::min(at + between_looks, experiment.generations);
    if (every != 0) next = std::min(next, (at / every + 1) * every);
    if (asynchronous) {
      advance_asynchronously(archipelago, next);
    } else {
      archipelago.advance(next);
    }
    if (every != 0 && next % every == 0 && looks.done(next, *archipelago.merged_results())) break;
  }
  return archipelago.whole_state();
}

}  // namespace atl
