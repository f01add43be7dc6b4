#include "islands/archipelago.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "islands/algorithm.hpp"
#include "islands/island.hpp"
#include "islands/migration.hpp"
#include "islands/steering.hpp"
#include "islands/topology.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

namespace {

/// Islands that wait for a thread, in the order in which they came.
class Turns {
 public:
  explicit Turns(std::span<Island> islands) {
    for (Island& island : islands) waiting_.push_back(&island);
  }

  /// Null once none waits: each thread left has one then.
  Island* take() {
    const std::scoped_lock lock(mutex_);
    if (waiting_.empty()) return nullptr;
    Island* const island = waiting_.front();
    waiting_.pop_front();
    return island;
  }
  void give_back(Island& island) {
    const std::scoped_lock lock(mutex_);
    if (!ended_) waiting_.push_back(&island);
  }
  /// The others end with the turns that they have.
  void end() {
    const std::scoped_lock lock(mutex_);
    waiting_.clear();
    ended_ = true;
  }

 private:
  std::mutex mutex_;
  std::deque<Island*> waiting_;
  bool ended_ = false;
};

// The archive holds more than will be written, so that enough is left once redundancy is removed.
constexpr std::size_t archived_per_rule_written = 4;
constexpr std::size_t neighbourhoods = 16;  // at least, of a full consequent's rules

Archive empty_archive(const Experiment& experiment) {
  const std::size_t capacity = archived_per_rule_written * std::size_t{experiment.top};
  // Where the best are to be written however alike, none makes room for another.
  const bool varied = experiment.preset == "pareto" && experiment.max_similarity < 1;
  return Archive(steering_measure(experiment.archive_by, experiment), capacity,
                 varied ? (capacity + neighbourhoods - 1) / neighbourhoods : capacity);
}

}  // namespace

struct Archipelago::State {
  const Experiment& experiment;
  const IslandGrammars grammars;
  const std::map<std::uint32_t, Experiment> by_island;
  const Dataset& dataset;
  Evaluator& evaluator;
  ThreadPool& pool;
  Communicator& communicator;
  Topology topology;
  std::vector<Measure> maximize;
  Archive archive;
  std::mutex offering = {};          // to the archive, by islands
  std::vector<Island> islands = {};  // of this rank, ascending
  std::uint32_t generation = 0;
  std::uint64_t evaluated_before = 0;  // by former jobs
  PhaseTimes times = {};

  void run_to(std::uint32_t last);
  void take_turn(Island& island, std::uint32_t last, PhaseTimes& own);
  std::vector<Move> migrate();
  std::uint64_t evaluated() const;
};

Archipelago::Archipelago(const Experiment& experiment, const IslandGrammars& grammars,
                         const Dataset& dataset, Evaluator& evaluator, ThreadPool& pool,
                         Communicator& communicator) {
  if (static_cast<std::uint32_t>(communicator.size()) > experiment.islands) {
    throw UsageError(std::to_string(communicator.size()) + " ranks cannot share " +
                     std::to_string(experiment.islands) + " islands: start at most " +
                     std::to_string(experiment.islands) + ", or mine with more --islands");
  }
  state_.reset(new State{experiment, grammars, experiment.by_island(), dataset, evaluator, pool,
                         communicator, Topology(experiment), all_steering_measures(experiment),
                         empty_archive(experiment)});
  std::vector<std::uint32_t> numbers;
  std::vector<IslandAim> aims;
  for (std::uint32_t i = 0; i < experiment.islands; ++i) {
    if (rank_of(i, communicator.size()) != communicator.rank()) continue;
    numbers.push_back(i);
    aims.push_back({&std::prev(state_->by_island.upper_bound(i))->second, &grammars.of(i)});
  }
  auto algorithms = make_algorithms(experiment, aims, dataset);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    state_->islands.emplace_back(numbers[i], experiment, *aims[i].grammar, std::move(algorithms[i]),
                                 evaluator.make_batch());
  }
}

Archipelago::~Archipelago() = default;

// Between two exchanges islands need nothing of each other: each goes on as fast as it can.
void Archipelago::State::run_to(std::uint32_t last) {
  Turns turns(islands);
  const std::size_t threads = std::min<std::size_t>(pool.threads(), islands.size());
  std::vector<PhaseTimes> spent(threads);
  double seconds = 0;
  {
    const Stopwatch watch(seconds);
    pool.wait(pool.submit(threads, [&](std::size_t thread, unsigned) {
      PhaseTimes own;
      try {
        while (Island* const island = turns.take()) {
          take_turn(*island, last, own);
          if (island->started()) turns.give_back(*island);
        }
      } catch (...) {
        turns.end();
        throw;
      }
      spent[thread] = own;
    }));
  }
  double worked = 0;
  for (const PhaseTimes& own : spent) {
    for (const Phase& phase : phases) {
      const double share = own.*phase.seconds / static_cast<double>(threads);
      times.*phase.seconds += share;
      worked += share;
    }
  }
  times.idle += std::max(seconds - worked, 0.0);
  generation = last;
}

// While its batch is evaluated other islands have their turns.
void Archipelago::State::take_turn(Island& island, std::uint32_t last, PhaseTimes& own) {
  if (island.started()) {
    {
      const Stopwatch watch(own.evaluate);
      island.finish();
    }
    const Stopwatch watch(own.survive);
    island.survive();
    const std::scoped_lock lock(offering);
    island.offer(archive);
  }
  if (island.next_generation() > last) return;
  {
    const Stopwatch watch(own.breed);
    island.breed();
  }
  const Stopwatch watch(own.evaluate);
  island.start();
}

std::vector<Move> Archipelago::State::migrate() {
  const Stopwatch watch(times.exchange);
  std::vector<std::uint32_t> numbers;
  for (const Island& island : islands) numbers.push_back(island.state().island);
  auto destinations = topology.destinations(numbers, generation);
  std::vector<Emigrants> emigrants(islands.size());
  const auto on_each = [&](const auto& work) {
    pool.wait(pool.submit(islands.size(), [&](std::size_t i, unsigned) { work(i); }));
  };
  on_each([&](std::size_t i) {
    if (!destinations[i].empty()) emigrants[i] = islands[i].emigrants();  // others stay
    emigrants[i].island = numbers[i];
    emigrants[i].destinations = std::move(destinations[i]);
  });
  const Arrivals arrivals = atl::migrate(std::move(emigrants), grammars, communicator);
  std::vector<std::vector<Move>> moves(islands.size());
  on_each([&](std::size_t i) { moves[i] = islands[i].immigrate(arrivals.at(numbers[i])); });
  std::vector<Move> all;
  for (const auto& own : moves) all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::uint64_t Archipelago::State::evaluated() const {
  std::uint64_t sum = 0;
  for (const Island& island : islands) {
    if (!island.history().empty()) sum += island.history().back().evaluated;
  }
  return sum;
}

void Archipelago::initialise() {
  state_->run_to(0);
}

void Archipelago::advance(std::uint32_t last) {
  const std::uint32_t every = state_->experiment.migrate_every;
  if (every > 0) last = std::min(last, (state_->generation / every + 1) * every);
  state_->run_to(last);
}

std::optional<std::vector<Move>> Archipelago::exchange() {
  const std::uint32_t every = state_->experiment.migrate_every;
  if (every == 0 || state_->generation % every != 0) return {};
  return state_->migrate();
}

void Archipelago::restore(const RunState& run) {
  State& state = *state_;
  if (run.islands.size() != state.experiment.islands || run.archive.by() != state.archive.by() ||
      run.archive.capacity() != state.archive.capacity() ||
      run.archive.per_neighbourhood() != state.archive.per_neighbourhood()) {
    throw BadBytes("the number of islands or the archive is not that of the experiment");
  }
  const auto ranks = static_cast<std::uint32_t>(state.communicator.size());
  const auto own = static_cast<std::uint32_t>(state.communicator.rank());
  std::vector<std::vector<HistoryRow>> histories(state.islands.size());
  for (const HistoryRow& row : run.history) {
    if (row.island % ranks != own) continue;
    if (row.island / ranks >= histories.size()) throw BadBytes("a history row of no island");
    histories[row.island / ranks].push_back(row);
  }
  for (Island& island : state.islands) {
    const std::uint32_t number = island.state().island;
    if (run.islands[number].island != number) throw BadBytes("an island is missing");
    std::vector<HistoryRow>& rows = histories[number / ranks];
    if (rows.size() != std::size_t{run.header.generation} + 1) {
      throw BadBytes("the history of an island has gaps");
    }
    island.restore(run.islands[number], std::move(rows));
  }
  state.archive = run.archive;
  state.generation = run.header.generation;
  state.evaluated_before = state.evaluated();
}

std::uint32_t Archipelago::generation() const noexcept {
  return state_->generation;
}

Progress Archipelago::progress() const {
  Progress progress;
  progress.generation = state_->generation;
  progress.evaluated = state_->evaluated() - state_->evaluated_before;
  progress.archived = state_->archive.size();
  for (const Measure measure : state_->maximize) {
    progress.best.push_back(state_->archive.best(measure));
  }
  progress.times = state_->times;
  if (const auto seconds = state_->evaluator.device_seconds()) {
    progress.device_seconds = *seconds;
    progress.devices = 1;
  }
  double breeding = 0;
  double fitting = 0;
  for (const Island& island : state_->islands) {
    breeding += island.breed_seconds();
    fitting += island.fit_seconds();
  }
  if (breeding > 0) progress.times.fit = progress.times.breed * fitting / breeding;
  progress.times.breed -= progress.times.fit;
  return progress;
}

std::optional<RunState> Archipelago::gather() {
  State& state = *state_;
  const Stopwatch watch(state.times.exchange);
  RunState run;
  run.header.experiment = state.experiment.hash();
  run.header.dataset = state.dataset.fingerprint();
  run.header.generation = state.generation;
  run.archive = state.archive;
  for (const Island& island : state.islands) {
    run.islands.push_back(island.state());
    run.history.insert(run.history.end(), island.history().begin(), island.history().end());
  }
  sort_history(run.history);
  if (state.communicator.size() == 1) return run;

  const auto parts = state.communicator.gather(encode(run), 0);
  if (state.communicator.rank() != 0) return std::nullopt;
  for (std::size_t rank = 1; rank < parts.size(); ++rank) {
    RunState part = decode_run_state(parts[rank], state.grammars);
    run.archive.merge(part.archive);
    std::move(part.islands.begin(), part.islands.end(), std::back_inserter(run.islands));
    std::move(part.history.begin(), part.history.end(), std::back_inserter(run.history));
  }
  std::sort(run.islands.begin(), run.islands.end(),
            [](const IslandState& a, const IslandState& b) { return a.island < b.island; });
  sort_history(run.history);
  return run;
}

}  // namespace atl
