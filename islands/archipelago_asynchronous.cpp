// Islands that do not wait for each other.
#include <memory>
#include <utility>
#include <vector>

#include "islands/archipelago_state.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

void Archipelago::State::take_immigrants(Member& member) {
  std::vector<Migrant> arrivals;
  for (const auto& emigrants : mailbox.take(member.number)) {
    arrivals.insert(arrivals.end(), emigrants->migrants.begin(), emigrants->migrants.end());
  }
  if (!arrivals.empty()) member.island->immigrate(arrivals);
}

void Archipelago::State::migrate(Member& member) {
  auto destinations = topology.destinations({&member.number, 1}, member.generation());
  if (!destinations.front().empty()) {
    mailbox.send({member.number, std::move(destinations.front()),
                  member.island->emigrants(experiment.migrants)});
  }
  take_immigrants(member);
}

void Archipelago::start(std::uint32_t last) {
  State& state = *state_;
  state.failure = nullptr;
  state.stop_requested = false;
  state.stopped = false;
  // The pool has no thread but the one that waits for it, perhaps; this one is to poll.
  state.runner = std::thread([&state, last] {
    try {
      state.run_to(last, [&state](Member& member, PhaseTimes& spent) {
        const Stopwatch watch(spent.exchange);
        if (state.migrates_at(member.generation())) state.migrate(member);
      });
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
  for (Member& member : state.members) state.take_immigrants(member);
}

}  // namespace atl
