// Islands that do not wait for each other.
#include <memory>
#include <utility>
#include <vector>

#include "islands/archipelago_state.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

void Archipelago::State::take_immigrants(Island& island) {
  const auto parcels = mailbox.take(island.state().island);
  std::vector<Arrival> arrivals;
  for (const auto& emigrants : parcels) {
    for (std::size_t i = 0; i < emigrants->slots.size(); ++i) {
      arrivals.push_back(
          {emigrants->island, emigrants->slots[i], &emigrants->individuals[i], emigrants->grammar});
    }
  }
  if (!arrivals.empty()) island.immigrate(arrivals);
}

void Archipelago::State::migrate(Island& island) {
  const std::uint32_t number = island.state().island;
  auto destinations = topology.destinations({&number, 1}, island.generation());
  if (!destinations.front().empty()) {
    Emigrants emigrants = island.emigrants();
    emigrants.island = number;
    emigrants.destinations = std::move(destinations.front());
    mailbox.send(std::move(emigrants));
  }
  take_immigrants(island);
}

void Archipelago::State::run_asynchronously(std::uint32_t last) {
  run_on_pool([&](Island& island, PhaseTimes& own) {
    if (island.started()) {
      end_generation(island, own);
      const Stopwatch watch(own.exchange);
      if (migrates_at(island.generation())) migrate(island);
    }
    if (!stop_requested && island.next_generation() <= last) begin_generation(island, own);
  });
}

void Archipelago::start(std::uint32_t last) {
  State& state = *state_;
  state.failure = nullptr;
  state.stop_requested = false;
  state.stopped = false;
  // The pool has no thread but the one that waits for it, perhaps; this one is to poll.
  state.runner = std::thread([&state, last] {
    try {
      state.run_asynchronously(last);
    } catch (...) {
      state.failure = std::current_exception();
    }
    state.stopped = true;
  });
}

void Archipelago::poll() {
  state_->mailbox.poll();
}

bool Archipelago::stopped() const noexcept {
  return state_->stopped;
}

void Archipelago::request_stop() noexcept {
  state_->stop_requested = true;
}

void Archipelago::stop() {
  State& state = *state_;
  if (!state.runner.joinable()) return;
  request_stop();
  state.runner.join();
  if (state.failure) std::rethrow_exception(state.failure);
}

void Archipelago::drain() {
  State& state = *state_;
  state.mailbox.drain();
  for (Island& island : state.islands) state.take_immigrants(island);
}

}  // namespace atl
