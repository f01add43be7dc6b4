#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "islands/algorithms.hpp"
#include "islands/archipelago_state.hpp"
#include "islands/archive_section.hpp"
#include "islands/migration.hpp"
#include "islands/run_sections.hpp"
#include "src/core/stopwatch.hpp"
#include "src/results/recount.hpp"
#include "src/results/steering.hpp"

namespace atl {

namespace {

/// Islands that wait for a thread, in the order in which they came.
class ReadyQueue {
 public:
  explicit ReadyQueue(std::span<Island> islands) {
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
// At least, of a full consequent's rules. By contrast the short rule that explains its followers is
// often behind several of them, so there is more room for each.
constexpr std::size_t buckets = 128, buckets_by_contrast = 16;

Archive empty_archive(const Experiment& experiment) {
  const std::size_t capacity = archived_per_rule_written * std::size_t{experiment.top};
  // Where the best are to be written however alike, none makes room for another.
  const bool varied = experiment.preset == "niching" && experiment.max_similarity < 1;
  const Measure measure = steering_measure(experiment.archive_by, experiment);
  const std::size_t kinds = measure == Measure::contrast ? buckets_by_contrast : buckets;
  return Archive(measure, capacity, varied ? (capacity + kinds - 1) / kinds : capacity);
}

}  // namespace

Archipelago::Archipelago(const Experiment& experiment, const IslandGrammars& grammars,
                         const Dataset& dataset, Evaluator& evaluator, ThreadPool& pool,
                         Communicator& communicator) {
  if (static_cast<std::uint32_t>(communicator.size()) > experiment.islands) {
    throw UsageError(std::to_string(communicator.size()) + " ranks cannot share " +
                     std::to_string(experiment.islands) + " islands: start at most " +
                     std::to_string(experiment.islands) + ", or mine with more --islands");
  }
  const Placement placement{experiment.islands, communicator.size()};
  state_.reset(new State{experiment, grammars, experiment.by_island(), dataset, evaluator, pool,
                         communicator, placement, Topology(experiment),
                         all_steering_measures(experiment), empty_archive(experiment)});
  std::vector<std::uint32_t> numbers;
  std::vector<IslandAim> aims;
  const std::uint32_t end = placement.first_island(communicator.rank() + 1);
  for (std::uint32_t i = placement.first_island(communicator.rank()); i < end; ++i) {
    numbers.push_back(i);
    aims.push_back({&std::prev(state_->by_island.upper_bound(i))->second, &grammars.of(i)});
  }
  auto algorithms = make_algorithms(experiment, aims, dataset);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    state_->islands.emplace_back(numbers[i], experiment, *aims[i].grammar, std::move(algorithms[i]),
                                 evaluator.make_batch());
  }
  state_->reached.resize(numbers.size());
  state_->gathered.resize(numbers.size(), 0);
}

Archipelago::~Archipelago() {
  state_->stop_requested = true;
  if (state_->runner.joinable()) state_->runner.join();
}

void Archipelago::State::run_on_pool(const std::function<void(Island&, PhaseTimes&)>& turn) {
  ReadyQueue waiting(islands);
  const std::size_t threads = std::min<std::size_t>(pool.threads(), islands.size());
  double worked = 0;
  double seconds = 0;
  {
    const Stopwatch watch(seconds);
    pool.wait(pool.submit(threads, [&](std::size_t, unsigned) {
      try {
        while (Island* const island = waiting.take()) {
          PhaseTimes own;
          turn(*island, own);
          {
            const std::scoped_lock lock(mutex);
            for (const Phase& phase : phases) {
              const double share = own.*phase.seconds / static_cast<double>(threads);
              times.*phase.seconds += share;
              worked += share;
            }
          }
          if (island->started()) waiting.give_back(*island);
        }
      } catch (...) {
        waiting.end();
        throw;
      }
    }));
  }
  const std::scoped_lock lock(mutex);
  times.idle += std::max(seconds - worked, 0.0);
}

void Archipelago::State::end_generation(Island& island, PhaseTimes& own) {
  {
    const Stopwatch watch(own.evaluate);
    island.finish();
  }
  const Stopwatch watch(own.replacement);
  island.replace();
  const std::scoped_lock lock(mutex);
  island.offer(archive);
  note(island);
}

void Archipelago::State::note(const Island& island) {
  Reached& its = reached[static_cast<std::size_t>(&island - islands.data())];
  const HistoryRow& row = island.history().back();
  its = {row.generation, row.evaluated, island.breed_seconds(), island.fit_seconds()};
}

void Archipelago::State::begin_generation(Island& island, PhaseTimes& own) {
  {
    const Stopwatch watch(own.breed);
    island.breed();
  }
  const Stopwatch watch(own.evaluate);
  island.start();
}

// Between two exchanges islands need nothing of each other: each goes on as fast as it can.
void Archipelago::State::run_to(std::uint32_t last) {
  run_on_pool([&](Island& island, PhaseTimes& own) {
    if (island.started()) end_generation(island, own);
    if (island.next_generation() <= last) begin_generation(island, own);
  });
}

std::vector<Move> Archipelago::State::migrate() {
  const Stopwatch watch(times.exchange);
  std::vector<std::uint32_t> numbers;
  for (const Island& island : islands) numbers.push_back(island.state().island);
  auto destinations = topology.destinations(numbers, islands.front().generation());
  std::vector<Emigrants> emigrants(islands.size());
  const auto on_each = [&](const auto& work) {
    pool.wait(pool.submit(islands.size(), [&](std::size_t i, unsigned) { work(i); }));
  };
  on_each([&](std::size_t i) {
    if (!destinations[i].empty()) emigrants[i] = islands[i].emigrants();  // others stay
    emigrants[i].island = numbers[i];
    emigrants[i].destinations = std::move(destinations[i]);
  });
  const Arrivals arrivals = atl::migrate(std::move(emigrants), grammars, placement, communicator);
  std::vector<std::vector<Move>> moves(islands.size());
  on_each([&](std::size_t i) { moves[i] = islands[i].immigrate(arrivals.at(numbers[i])); });
  std::vector<Move> all;
  for (const auto& own : moves) all.insert(all.end(), own.begin(), own.end());
  return all;
}

void Archipelago::initialise() {
  state_->run_to(0);
}

void Archipelago::advance(std::uint32_t last) {
  const std::uint32_t every = state_->experiment.migrate_every;
  if (every > 0) last = std::min(last, (generation() / every + 1) * every);
  state_->run_to(last);
}

std::optional<std::vector<Move>> Archipelago::exchange() {
  if (!state_->migrates_at(generation())) return {};
  return state_->migrate();
}

void Archipelago::expect_restorable(const RunState& run) const {
  const State& state = *state_;
  const Archive archive = archive_of(run, state.grammars.attributes());
  const std::uint32_t islands = state.experiment.islands;
  // And the results and the history.
  if (run.sections.size() != std::size_t{islands} + 2 || archive.by() != state.archive.by() ||
      archive.capacity() != state.archive.capacity() ||
      archive.per_bucket() != state.archive.per_bucket()) {
    throw BadBytes("the number of islands or the archive is not that of the experiment");
  }
  std::vector<std::size_t> generations(islands, 0);
  for (const HistoryRow& row : history_of(run)) {
    if (row.island >= generations.size()) throw BadBytes("a history row of no island");
    if (row.generation != generations[row.island]++)
      throw BadBytes("the history of an island has gaps");
    if (row.best.size() != state.maximize.size())
      throw BadBytes("a history row has wrong measures");
  }
  // Where islands do not wait for each other, some are ahead.
  const std::size_t least = std::size_t{run.header.generation} + 1;
  const bool synchronous = state.experiment.migration == Migration::synchronous;
  for (std::uint32_t i = 0; i < islands; ++i) {
    if (synchronous ? generations[i] != least : generations[i] < least)
      throw BadBytes("the history of an island has gaps");
    // Islands differ in their aims alone.
    state.islands.front().expect_restorable(island_of(run, i, state.grammars.of(i)));
  }
}

void Archipelago::expect_true(const RunState& run) const {
  const EvaluateOptions options = state_->islands.front().options();
  std::vector<IslandState> islands;
  for (std::uint32_t i = 0; i < state_->experiment.islands; ++i) {
    islands.push_back(island_of(run, i, state_->grammars.of(i)));
  }
  std::vector<ClaimedCounts> claims;
  for (const IslandState& island : islands) {
    for (const auto* group : {&island.population, &island.pool}) {
      for (const Individual& individual : *group) {
        const RuleCounts& counts = individual.counts;
        claims.push_back({&individual.rule, counts.table, counts.missing_consequent,
                          options.comparison_supports ? &counts.comparison_supports : nullptr});
      }
    }
  }
  const auto archived = archive_of(run, state_->grammars.attributes()).rules();
  for (const RuleRecord& record : archived) claims.push_back(claimed(record));
  expect_counts(claims, options, state_->evaluator);
}

void Archipelago::restore(const RunState& run) {
  expect_restorable(run);
  State& state = *state_;
  const int own = state.communicator.rank();
  const std::uint32_t first = state.placement.first_island(own);
  std::vector<std::vector<HistoryRow>> histories(state.islands.size());
  for (HistoryRow& row : history_of(run)) {
    if (state.placement.rank_of(row.island) == own) {
      histories[row.island - first].push_back(std::move(row));
    }
  }
  for (Island& island : state.islands) {
    const std::uint32_t number = island.state().island;
    std::vector<HistoryRow>& rows = histories[number - first];
    state.gathered[number - first] = rows.size();
    island.restore(island_of(run, number, state.grammars.of(number)), std::move(rows));
    state.note(island);
    state.evaluated_before += island.history().back().evaluated;
  }
  state.archive = archive_of(run, state.grammars.attributes());
}

std::uint32_t Archipelago::generation() const noexcept {
  const std::scoped_lock lock(state_->mutex);
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (const Reached& its : state_->reached) least = std::min(least, its.generation.value_or(0));
  return least;
}

Progress Archipelago::progress() const {
  Progress progress;
  progress.generation = generation();
  if (const auto seconds = state_->evaluator.device_seconds()) {
    progress.device_seconds = *seconds;
    progress.devices = 1;
  }
  const std::scoped_lock lock(state_->mutex);
  progress.archived = state_->archive.size();
  for (const Measure measure : state_->maximize) {
    progress.best.push_back(state_->archive.best(measure));
  }
  progress.times = state_->times;
  double breeding = 0;
  double fitting = 0;
  for (const Reached& its : state_->reached) {
    progress.evaluated += its.evaluated;
    breeding += its.breed_seconds;
    fitting += its.fit_seconds;
  }
  progress.evaluated -= state_->evaluated_before;
  if (breeding > 0) progress.times.fit = progress.times.breed * fitting / breeding;
  progress.times.breed -= progress.times.fit;
  return progress;
}

std::optional<PartialState> Archipelago::State::gather(std::span<const std::size_t> from,
                                                       std::uint32_t generation) {
  const Stopwatch watch(times.exchange);
  RunState run;
  run.header.experiment = experiment.hash();
  run.header.dataset = dataset.fingerprint();
  run.header.generation = generation;
  std::vector<HistoryRow> rows;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    run.sections.push_back(section_of(islands[i].state()));
    const auto history = islands[i].history().subspan(from[i]);
    rows.insert(rows.end(), history.begin(), history.end());
  }
  std::sort(rows.begin(), rows.end(), precedes);
  run.sections.push_back(section_of(archive));
  run.sections.push_back(history_section(rows));
  if (communicator.size() == 1) return PartialState{std::move(run), {}};

  auto parts = communicator.gather(encode(run), 0);
  if (communicator.rank() != 0) return std::nullopt;
  parts.erase(parts.begin());
  for (const Bytes& part : parts) {
    run.header.generation = std::min(run.header.generation, decode_header(part).generation);
  }
  return PartialState{std::move(run), std::move(parts)};
}

std::optional<PartialState> Archipelago::gather() {
  State& state = *state_;
  auto parts = state.gather(state.gathered, generation());
  for (std::size_t i = 0; i < state.islands.size(); ++i) {
    state.gathered[i] = state.islands[i].history().size();
  }
  return parts;
}

std::optional<RunState> Archipelago::whole_state() {
  const std::vector<std::size_t> from_the_first(state_->islands.size(), 0);
  auto parts = state_->gather(from_the_first, generation());
  if (!parts) return std::nullopt;
  return StateAssembler(state_->grammars.attributes(), {}).assemble(std::move(*parts));
}

}  // namespace atl
