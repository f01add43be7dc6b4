#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "islands/archipelago/archipelago_state.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"

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
                         ThreadPool& pool, Communicator& communicator, Reducer* team) {
  if (static_cast<std::uint32_t>(communicator.size()) > experiment.islands) {
    throw UsageError(std::to_string(communicator.size()) + " ranks cannot share " +
                     counted(experiment.islands, "island") + ": start at most " +
                     std::to_string(experiment.islands) + ", or mine with more --islands");
  }
  const Placement placement{experiment.islands, communicator.size()};
  const auto keeps =
      experiment.migration == Migration::synchronous ? Mailbox::Keeps::all : Mailbox::Keeps::last;
  state_.reset(new State{.experiment = experiment,
                         .search = search,
                         .dataset = dataset,
                         .pool = pool,
                         .communicator = communicator,
                         .placement = placement,
                         .topology = Topology(experiment),
                         .thinning = thinning_of(experiment),
                         .mailbox = Mailbox(placement, communicator, keeps)});
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
  const auto wake = [&state = *state_](std::size_t member) {
    std::shared_ptr<Turns> turns;
    {
      const std::scoped_lock lock(state.mutex);
      turns = state.turns;
    }
    if (turns) turns->wake(member);
  };
  state_->mailbox.tell(
      [wake, first = numbers.front()](std::uint32_t island) { wake(island - first); });
  if (team == nullptr) return;
  state_->team = std::make_unique<TeamSums>(*team, numbers.size(), experiment.population);
  state_->team->tell(wake, [&mailbox = state_->mailbox] { mailbox.call(); });
}

Archipelago::~Archipelago() {
  request_stop();
  if (state_->runner.joinable()) state_->runner.join();
}

void Archipelago::State::add(const PhaseTimes& spent, double& worked) {
  const auto threads = static_cast<double>(std::min<std::size_t>(pool.threads(), members.size()));
  const std::scoped_lock lock(mutex);
  for (const Phase& phase : phases) {
    const double share = spent.*phase.seconds / threads;
    times.*phase.seconds += share;
    worked += share;
  }
}

// Each island goes on as fast as it can: while what one has begun is evaluated, or its immigrants
// are on their way, others have their turns.
void Archipelago::State::run_to(std::uint32_t last) {
  double worked = 0, seconds = 0;
  const auto ready = [this](std::size_t i) {
    return members[i].step != Step::waits || members[i].island->ready();
  };
  // Sums are made in this order: those of others wait for them.
  std::function<bool(std::size_t, std::size_t)> before;
  if (team) {
    before = [this](std::size_t a, std::size_t b) {
      return std::pair(members[a].next_generation(), a) <
             std::pair(members[b].next_generation(), b);
    };
  }
  const auto one_turn = [&](std::size_t i) {
    PhaseTimes spent;
    const TurnEnd end = turn(members[i], last, spent);
    add(spent, worked);
    return end;
  };
  const auto own = std::make_shared<Turns>(pool, members.size(), ready, one_turn, before);
  const auto set_turns = [this](std::shared_ptr<Turns> current) {
    const std::scoped_lock lock(mutex);
    turns = std::move(current);
  };
  set_turns(own);
  try {
    const Stopwatch watch(seconds);
    if (stop_requested) own->end();
    own->run();
  } catch (...) {
    set_turns(nullptr);
    throw;
  }
  set_turns(nullptr);
  const std::scoped_lock lock(mutex);
  times.idle += std::max(seconds - worked, 0.0);
}

TurnEnd Archipelago::State::turn(Member& member, std::uint32_t last, PhaseTimes& spent) {
  if (member.step != Step::done) {
    advance(member, spent);
    if (member.step != Step::done) return await(member);
  }
  if (member.expects && !take_expected(member, spent)) return TurnEnd::sleeps;
  if (stop_requested || member.next_generation() > last) return TurnEnd::over;
  advance(member, spent);
  return await(member);
}

/// Lets the island sleep if its step has to wait for the team.
TurnEnd Archipelago::State::await(const Member& member) {
  if (member.step != Step::adds) return TurnEnd::again;
  turns->fall_asleep();
  team->hand_in(index(member), member.island->numbers());
  return TurnEnd::sleeps;
}

void Archipelago::State::advance(Member& member, PhaseTimes& spent) {
  member.step = member.island->advance(spent);
  if (member.step != Step::done) return;
  {
    const Stopwatch watch(spent.replacement);
    member.last = member.island->summary();
    const bool improves = member.best.improves(*member.last);
    if (improves || thinning.keeps(member.last->generation)) member.kept.push_back(*member.last);
    member.island->offer(*results);
    note(member);
  }
  if (!migrates_at(member.generation())) return;
  const Stopwatch watch(spent.exchange);
  send_emigrants(member);
  member.expects = synchronous();
  if (!synchronous()) take_what_came(member);
}

void Archipelago::State::note(Member& member) {
  const HistoryRow& row = *member.last;
  const std::scoped_lock lock(mutex);
  member.reached = {row.generation, row.evaluated};
}

// Costs the islands of all ranks where they draw whom they take from, so it is made once for all of
// this rank.
std::shared_ptr<const MigrationPlan> Archipelago::State::plan(std::uint32_t generation) {
  constexpr std::size_t most_plans = 16;
  const std::scoped_lock lock(plans_mutex);
  auto& known = plans[topology.is_static() ? 0 : generation];
  if (known) return known;
  std::vector<std::uint32_t> numbers;
  for (const Member& member : members) numbers.push_back(member.number);
  MigrationPlan made{topology.destinations(numbers, generation), {}};
  for (const auto& sources : topology.sources(numbers, generation)) {
    made.sources.push_back(sources.size());
  }
  const auto plan = known = std::make_shared<const MigrationPlan>(std::move(made));
  if (plans.size() > most_plans) plans.erase(plans.begin());
  return plan;
}

void Archipelago::State::send_emigrants(Member& member) {
  const auto& destinations = plan(member.generation())->destinations[index(member)];
  if (destinations.empty()) return;  // all stay
  mailbox.send({member.number, member.generation(), destinations,
                member.island->emigrants(experiment.migrants)});
}

bool Archipelago::State::take_expected(Member& member, PhaseTimes& spent) {
  const Stopwatch watch(spent.exchange);
  const std::uint32_t generation = member.generation();
  const std::size_t sources = plan(generation)->sources[index(member)];
  turns->fall_asleep();
  const auto migrants = mailbox.take(member.number, generation, sources);
  if (!migrants) return false;
  turns->stay_awake();
  member.expects = false;
  auto moves = member.island->immigrate(*migrants);
  if (keeps_moves) member.moves.push_back({generation, std::move(moves)});
  return true;
}

void Archipelago::State::take_what_came(Member& member) {
  const auto migrants = mailbox.take(member.number);
  if (!migrants.empty()) member.island->immigrate(migrants);
}

void Archipelago::advance(std::uint32_t last) {
  start(last);
  while (!stopped()) {
    poll();
    wait();
  }
  stop();
}

// The pool has no thread but the one that waits for it, perhaps; this one is to poll.
void Archipelago::start(std::uint32_t last) {
  State& state = *state_;
  state.failure = nullptr;
  state.stop_requested = false;
  state.stopped = false;
  const auto run = [&state, last] {
    try {
      state.run_to(last);
    } catch (...) {
      state.failure = std::current_exception();
    }
    state.stopped = true;
  };
  // Nobody has to poll for one rank alone.
  const bool alone = state.communicator.size() == 1 && state.team == nullptr;
  if (alone && state.synchronous()) return run();
  state.runner = std::thread(run);
}

void Archipelago::poll() {
  state_->mailbox.poll();
  if (state_->team) state_->team->poll();
}

void Archipelago::wait() {
  constexpr std::chrono::microseconds while_some_work(1000), while_all_wait(20);
  std::shared_ptr<Turns> turns;
  {
    const std::scoped_lock lock(state_->mutex);
    turns = state_->turns;
  }
  const bool adds = state_->team && state_->team->busy();
  const bool all_wait = turns && !turns->any_works();
  state_->mailbox.wait(adds || all_wait || !turns ? while_all_wait : while_some_work);
}

bool Archipelago::stopped() const noexcept {
  return state_->stopped;
}

void Archipelago::request_stop() noexcept {
  state_->stop_requested = true;
  const std::scoped_lock lock(state_->mutex);
  // Those who would have come may never come.
  if (state_->turns && state_->synchronous()) state_->turns->end();
}

void Archipelago::stop() {
  State& state = *state_;
  if (state.runner.joinable()) {
    request_stop();
    state.runner.join();
    poll();  // what the last have sent
  }
  if (const auto failure = std::exchange(state.failure, nullptr)) std::rethrow_exception(failure);
}

void Archipelago::drain() {
  State& state = *state_;
  state.mailbox.drain();
  for (Member& member : state.members) state.take_what_came(member);
}

void Archipelago::keep_moves() noexcept {
  state_->keeps_moves = true;
}

std::vector<MigrationMoves> Archipelago::take_moves() {
  std::map<std::uint32_t, MigrationMoves> by_generation;
  for (Member& member : state_->members) {
    for (const MigrationMoves& its : std::exchange(member.moves, {})) {
      MigrationMoves& all = by_generation[its.generation];
      all.generation = its.generation;
      all.moves.insert(all.moves.end(), its.moves.begin(), its.moves.end());
    }
  }
  std::vector<MigrationMoves> all;
  for (auto& [generation, moves] : by_generation) all.push_back(std::move(moves));
  return all;
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
