#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "islands/archipelago_state.hpp"
#include "islands/migration.hpp"
#include "islands/ready_queue.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

namespace {

/// A time limit may end the run at any generation.
HistoryThinning thinning_of(const Experiment& experiment) {
  const bool limited = experiment.time_limit == 0;
  return {static_cast<std::uint32_t>(experiment.history_every), experiment.islands,
          limited ? std::optional(experiment.generations) : std::nullopt};
}

}  // namespace

Archipelago::Archipelago(const Experiment& experiment, Search& search, const Fingerprint& dataset,
                         ThreadPool& pool, Communicator& communicator) {
  if (static_cast<std::uint32_t>(communicator.size()) > experiment.islands) {
    throw UsageError(std::to_string(communicator.size()) + " ranks cannot share " +
                     std::to_string(experiment.islands) + " islands: start at most " +
                     std::to_string(experiment.islands) + ", or mine with more --islands");
  }
  const Placement placement{experiment.islands, communicator.size()};
  state_.reset(new State{experiment, search, dataset, pool, communicator, placement,
                         Topology(experiment), thinning_of(experiment)});
  std::vector<std::uint32_t> numbers;
  const std::uint32_t end = placement.first_island(communicator.rank() + 1);
  for (std::uint32_t i = placement.first_island(communicator.rank()); i < end; ++i) {
    numbers.push_back(i);
  }
  auto islands = search.islands(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    state_->members.push_back({numbers[i], std::move(islands[i])});
  }
  state_->results = search.results();
}

Archipelago::~Archipelago() {
  state_->stop_requested = true;
  if (state_->runner.joinable()) state_->runner.join();
}

void Archipelago::State::add(const PhaseTimes& spent, std::size_t threads, double& worked) {
  const std::scoped_lock lock(mutex);
  for (const Phase& phase : phases) {
    const double share = spent.*phase.seconds / static_cast<double>(threads);
    times.*phase.seconds += share;
    worked += share;
  }
}

void Archipelago::State::run_on_pool(const std::function<bool(Member&, PhaseTimes&)>& turn) {
  ReadyQueue queue(members.size(), [this](std::size_t i) {
    return members[i].step == Step::done || members[i].island->ready();
  });
  const std::size_t threads = std::min<std::size_t>(pool.threads(), members.size());
  double worked = 0;
  const auto take_turns = [&] {
    while (const auto island = queue.take()) {
      PhaseTimes spent;
      const bool again = turn(members[*island], spent);
      add(spent, threads, worked);
      if (again) queue.give_back(*island);
    }
  };
  double seconds = 0;
  {
    const Stopwatch watch(seconds);
    pool.wait(pool.submit(threads, [&](std::size_t, unsigned) {
      try {
        take_turns();
      } catch (...) {
        queue.end();
        throw;
      }
    }));
  }
  const std::scoped_lock lock(mutex);
  times.idle += std::max(seconds - worked, 0.0);
}

void Archipelago::State::advance(Member& member, const AfterGeneration& after, PhaseTimes& spent) {
  member.step = member.island->advance(spent);
  if (member.step == Step::waits) return;
  {
    const Stopwatch watch(spent.replacement);
    member.last = member.island->summary();
    const bool improves = member.best.improves(*member.last);
    if (improves || thinning.keeps(member.last->generation)) member.kept.push_back(*member.last);
    member.island->offer(*results);
    note(member);
  }
  after(member, spent);
}

void Archipelago::State::note(Member& member) {
  const HistoryRow& row = *member.last;
  const std::scoped_lock lock(mutex);
  member.reached = {row.generation, row.evaluated};
}

// Between two exchanges islands need nothing of each other: each goes on as fast as it can. While
// what one has begun is evaluated, others have their turns.
void Archipelago::State::run_to(std::uint32_t last, const AfterGeneration& after) {
  run_on_pool([&](Member& member, PhaseTimes& spent) {
    if (member.step == Step::waits) {
      advance(member, after, spent);
      if (member.step == Step::waits) return true;
    }
    if (stop_requested || member.next_generation() > last) return false;
    advance(member, after, spent);
    return true;
  });
}

std::vector<Move> Archipelago::State::migrate() {
  const Stopwatch watch(times.exchange);
  std::vector<std::uint32_t> numbers;
  for (const Member& member : members) numbers.push_back(member.number);
  auto destinations = topology.destinations(numbers, members.front().generation());
  std::vector<Emigrants> emigrants(members.size());
  const auto on_each = [&](const auto& work) {
    pool.wait(pool.submit(members.size(), [&](std::size_t i, unsigned) { work(i); }));
  };
  on_each([&](std::size_t i) {
    emigrants[i].island = numbers[i];
    emigrants[i].destinations = std::move(destinations[i]);
    if (emigrants[i].destinations.empty()) return;  // all stay
    emigrants[i].migrants = members[i].island->emigrants(experiment.migrants);
  });
  const Arrivals arrivals = atl::migrate(std::move(emigrants), placement, communicator);
  std::vector<std::vector<Move>> moves(members.size());
  on_each([&](std::size_t i) { moves[i] = members[i].island->immigrate(arrivals.at(numbers[i])); });
  std::vector<Move> all;
  for (const auto& own : moves) all.insert(all.end(), own.begin(), own.end());
  return all;
}

void Archipelago::initialise() {
  state_->run_to(0, [](Member&, PhaseTimes&) {});
}

void Archipelago::advance(std::uint32_t last) {
  const std::uint32_t every = state_->experiment.migrate_every;
  if (every > 0) last = std::min(last, (generation() / every + 1) * every);
  state_->run_to(last, [](Member&, PhaseTimes&) {});
}

std::optional<std::vector<Move>> Archipelago::exchange() {
  if (!state_->migrates_at(generation())) return {};
  return state_->migrate();
}

std::uint32_t Archipelago::generation() const noexcept {
  const std::scoped_lock lock(state_->mutex);
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (const Member& member : state_->members) {
    least = std::min(least, member.reached.generation.value_or(0));
  }
  return least;
}

Progress Archipelago::progress() const {
  Progress progress;
  progress.generation = generation();
  if (const auto seconds = state_->search.device_seconds()) {
    progress.device_seconds = *seconds;
    progress.devices = 1;
  }
  progress.archived = state_->results->size();
  progress.best = state_->results->best();
  const std::scoped_lock lock(state_->mutex);
  progress.times = state_->times;
  for (const Member& member : state_->members) progress.evaluated += member.reached.evaluated;
  progress.evaluated -= state_->evaluated_before;
  return progress;
}

}  // namespace atl
