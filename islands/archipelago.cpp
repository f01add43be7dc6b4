#include "islands/archipelago.hpp"

#include <algorithm>
#include <deque>
#include <limits>
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

/// Jobs of one phase, one for each island, waited for in the order of submission. Those that an
/// error left behind are waited for at the end: they work on islands.
class IslandJobs {
 public:
  explicit IslandJobs(ThreadPool& pool) : pool_(pool) {}
  ~IslandJobs() {
    while (!tickets_.empty()) {
      try {
        wait_next();
      } catch (...) {  // the first error is on its way
      }
    }
  }
  IslandJobs(const IslandJobs&) = delete;
  IslandJobs& operator=(const IslandJobs&) = delete;

  template <typename Task>
  void submit(const Task& task) {
    tickets_.push_back(pool_.submit(1, [task](std::size_t, unsigned) { task(); }));
  }

  void wait_next() {
    const ThreadPool::Ticket ticket = tickets_.front();
    tickets_.pop_front();
    pool_.wait(ticket);
  }

 private:
  ThreadPool& pool_;
  std::deque<ThreadPool::Ticket> tickets_;
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
  const BoundGrammar& grammar;
  const Dataset& dataset;
  Evaluator& evaluator;
  ThreadPool& pool;
  Communicator& communicator;
  Sources sources;
  std::vector<Measure> maximize;
  std::vector<Island> islands;  // of this rank, ascending
  Archive archive;
  std::uint32_t generation = 0;
  std::uint64_t evaluated_before = 0;  // by former jobs
  PhaseTimes times;

  void run_generation(std::uint32_t number);
  void migrate();
  std::uint64_t evaluated() const;
};

Archipelago::Archipelago(const Experiment& experiment, const BoundGrammar& grammar,
                         const Dataset& dataset, Evaluator& evaluator, ThreadPool& pool,
                         Communicator& communicator) {
  if (static_cast<std::uint32_t>(communicator.size()) > experiment.islands) {
    throw UsageError(std::to_string(communicator.size()) + " ranks cannot share " +
                     std::to_string(experiment.islands) +
                     " islands: start fewer ranks or set --islands to at least as many");
  }
  state_ = std::make_unique<State>(State{experiment,
                                         grammar,
                                         dataset,
                                         evaluator,
                                         pool,
                                         communicator,
                                         topology_named(experiment.topology),
                                         steering_measures(experiment),
                                         {},
                                         empty_archive(experiment),
                                         0,
                                         0,
                                         {}});
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < experiment.islands; ++i) {
    if (rank_of(i, communicator.size()) == communicator.rank()) numbers.push_back(i);
  }
  auto algorithms = make_algorithms(experiment, grammar, dataset, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    state_->islands.emplace_back(numbers[i], experiment, grammar, std::move(algorithms[i]),
                                 evaluator.make_batch());
  }
}

Archipelago::~Archipelago() = default;

void Archipelago::State::run_generation(std::uint32_t number) {
  IslandJobs breeding(pool);
  IslandJobs surviving(pool);
  for (Island& island : islands) breeding.submit([&island, number] { island.breed(number); });
  // The evaluator works on one island's batch while the next islands breed.
  for (Island& island : islands) {
    {
      const Stopwatch watch(times.breed);
      breeding.wait_next();
    }
    const Stopwatch watch(times.evaluate);
    island.start();
  }
  for (Island& island : islands) {
    const Stopwatch watch(times.evaluate);
    island.finish();
    surviving.submit([&island] { island.survive(); });
  }
  const Stopwatch watch(times.survive);
  for (Island& island : islands) {
    surviving.wait_next();
    island.offer(archive);
  }
  generation = number;
}

void Archipelago::State::migrate() {
  const Stopwatch watch(times.exchange);
  std::vector<Emigrants> emigrants;
  for (const Island& island : islands) emigrants.push_back(island.emigrants(experiment.migrants));
  auto arrived = atl::migrate(sources, experiment.islands, emigrants, grammar, communicator);
  auto next = arrived.begin();
  for (Island& island : islands) {
    std::vector<Individual> immigrants;
    for (; next != arrived.end() && next->to == island.state().island; ++next) {
      std::move(next->individuals.begin(), next->individuals.end(), std::back_inserter(immigrants));
    }
    island.immigrate(std::move(immigrants));
  }
}

std::uint64_t Archipelago::State::evaluated() const {
  std::uint64_t sum = 0;
  for (const Island& island : islands) {
    if (!island.history().empty()) sum += island.history().back().evaluated;
  }
  return sum;
}

void Archipelago::initialise() {
  state_->run_generation(0);
}

void Archipelago::advance() {
  state_->run_generation(state_->generation + 1);
}

void Archipelago::exchange() {
  const std::uint32_t every = state_->experiment.migrate_every;
  if (every > 0 && state_->generation % every == 0) state_->migrate();
}

void Archipelago::restore(const RunState& run) {
  State& state = *state_;
  if (run.islands.size() != state.experiment.islands || run.archive.by() != state.archive.by() ||
      run.archive.capacity() != state.archive.capacity() ||
      run.archive.per_neighbourhood() != state.archive.per_neighbourhood()) {
    throw BadBytes("the number of islands or the archive is not that of the experiment");
  }
  for (Island& island : state.islands) {
    const std::uint32_t number = island.state().island;
    if (run.islands[number].island != number) throw BadBytes("an island is missing");
    std::vector<HistoryRow> rows;
    std::copy_if(run.history.begin(), run.history.end(), std::back_inserter(rows),
                 [number](const HistoryRow& row) { return row.island == number; });
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
    RunState part = decode_run_state(parts[rank], state.grammar);
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
