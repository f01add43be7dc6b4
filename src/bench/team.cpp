#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <span>

#include "src/bench/benchmarks.hpp"
#include "src/bench/rule_options.hpp"
#include "src/bench/stopwatch.hpp"
#include "src/bench/table.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"
#include "src/data/divide.hpp"
#include "src/eval/counting_team.hpp"
#include "src/run/machine/teams.hpp"
#include "src/work/rank_place.hpp"

namespace atl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double step_seconds = 0.5;
constexpr std::uint64_t fewest_steps = 20, most_steps = 2000;

/// Does something over and over for as long as rank 0 has the time, on all ranks as often. What one
/// step leaves under way may go on in the next, so that they are timed together.
/// @return this rank's seconds for a step
double seconds_a_step(Communicator& ranks, const std::function<void()>& step) {
  constexpr int first_steps = 4;  // in which all is made, and fills
  const auto seconds_of = [&](std::uint64_t steps) {
    const Clock::time_point start = Clock::now();
    for (std::uint64_t i = 0; i < steps; ++i) step();
    return seconds_since(start);
  };
  seconds_of(first_steps);
  std::uint64_t steps = 0;
  const double seconds = seconds_of(1);
  if (ranks.rank() == 0) {
    steps = std::clamp(static_cast<std::uint64_t>(step_seconds / std::max(seconds, 1e-6)),
                       fewest_steps, most_steps);
  }
  ranks.all_reduce_sum({&steps, 1});
  seconds_of(first_steps);
  const double all = seconds_of(steps);
  ranks.barrier();
  return all / static_cast<double>(steps);
}

/// The rules of several islands, which are counted side by side as they are in a search.
class Batch {
 public:
  /// @param team  null: this rank counts all of them
  Batch(Resident& resident, std::span<const Rule> rules, const CountingTeam* team)
      : counts_(rules.size()) {
    for (std::size_t first = 0; first < rules.size(); first += island_rules) {
      const auto own = rules.subspan(first, std::min(island_rules, rules.size() - first));
      const RuleRange share = team != nullptr ? team->share(own.size()) : RuleRange{0, own.size()};
      islands_.push_back({own,
                          share,
                          resident.rule_counter(),
                          std::span(counts_).subspan(first, own.size()),
                          {},
                          0});
    }
  }

  std::size_t islands() const noexcept { return islands_.size(); }
  const std::vector<RuleCounts>& counts() const noexcept { return counts_; }
  std::size_t numbers() const noexcept { return numbers_.size(); }

  // These are of one island, on any thread:

  /// Has its rules counted.
  void start(std::size_t i) {
    Island& its = islands_[i];
    its.counter->prepare(its.rules.subspan(its.share.begin, its.share.size()), options_);
    its.counter->start();
  }
  /// Blocks until they are.
  void read(std::size_t i) {
    Island& its = islands_[i];
    its.counter->finish();
    its.counter->read(its.counts.subspan(its.share.begin, its.share.size()));
  }
  /// Makes numbers of what was read, to be added up.
  void to_numbers(std::size_t i) {
    Island& its = islands_[i];
    counts_to_numbers(its.rules, its.share, its.counts, options_, its.numbers);
  }
  void take_sums(std::size_t i) {
    Island& its = islands_[i];
    numbers_to_counts(its.rules, std::span(numbers_).subspan(its.first_number), options_,
                      its.counts);
  }

  /// Adds up the numbers of all islands. Collective in the team.
  void add(Reducer& reducer) {
    numbers_.clear();
    for (Island& its : islands_) {
      its.first_number = numbers_.size();
      numbers_.insert(numbers_.end(), its.numbers.begin(), its.numbers.end());
    }
    add_up(reducer, numbers_);
  }

 private:
  static constexpr std::size_t island_rules = 200;
  struct Island {
    std::span<const Rule> rules;
    RuleRange share;
    std::unique_ptr<RuleCounter> counter;
    std::span<RuleCounts> counts;
    std::vector<std::uint64_t> numbers;
    std::size_t first_number = 0;  // among those of all
  };

  const CountingOptions options_;
  std::vector<RuleCounts> counts_;
  std::vector<Island> islands_;
  std::vector<std::uint64_t> numbers_;
};

/// Batches one behind the other: while one is read and added up, the next is counted, as in a
/// search the rules of some islands are while those of others are added up.
class Stream {
 public:
  /// @param reducer  null: nothing is added up
  Stream(Resident& resident, std::span<const Rule> rules, ThreadPool& pool,
         const CountingTeam* team, Reducer* reducer)
      : pool_(pool),
        reducer_(reducer),
        batches_{Batch(resident, rules, team), Batch(resident, rules, team)} {
    on_all_islands([this](std::size_t i) { batches_[0].start(i); });
  }

  /// One batch.
  void go_on() {
    Batch& counted = batches_[steps_ % 2];
    Batch& next = batches_[(steps_ + 1) % 2];
    on_all_islands([&](std::size_t i) {
      if (reducer_ != nullptr && steps_ != 0) next.take_sums(i);
      next.start(i);
      counted.read(i);
      if (reducer_ != nullptr) counted.to_numbers(i);
    });
    if (reducer_ != nullptr) counted.add(*reducer_);
    ++steps_;
  }
  /// The last batch.
  const Batch& end() {
    Batch& last = batches_[steps_ % 2];
    on_all_islands([&](std::size_t i) {
      last.read(i);
      if (reducer_ != nullptr) last.to_numbers(i);
    });
    if (reducer_ == nullptr) return last;
    last.add(*reducer_);
    on_all_islands([&](std::size_t i) { last.take_sums(i); });
    return last;
  }

 private:
  void on_all_islands(const std::function<void(std::size_t)>& work) {
    pool_.wait(pool_.submit(batches_[0].islands(), [&](std::size_t i, unsigned) { work(i); }));
  }

  ThreadPool& pool_;
  Reducer* const reducer_;
  std::array<Batch, 2> batches_;
  std::uint64_t steps_ = 0;
};

/// How long each way takes to add up the numbers of a batch. Collective.
Record times_of_adding(const std::vector<std::unique_ptr<Reducer>>& reducers, std::size_t numbers,
                       Communicator& communicator) {
  Record times = Record::object();
  for (const auto& reducer : reducers) {
    times[reducer->name()] = adding_seconds(*reducer, numbers, communicator);
  }
  return times;
}

/// Collective. @throws InternalError if the team counts otherwise than one rank
void run_team(const BenchState& state) {
  Communicator& communicator = state.communicator;
  const auto split = static_cast<TeamSplit>(state.name("--split").value_or(0));
  const Workload workload = workload_of(state);
  if (communicator.size() == 1) {
    throw UsageError("bench team: one rank is no team; start at least two (mpirun -n 2)");
  }
  const Machine& machine = state.machine.options;
  Dataset dataset = workload_data(workload);
  const std::vector<Rule> rules = workload_rules(dataset.attributes(), workload);
  const auto backend = state.make_backend(machine, {dataset.rows()}, communicator);
  ThreadPool pool(threads_of(machine.threads, communicator));
  const auto load = [&] {
    std::shared_ptr<Resident> loaded;
    on_all(communicator, [&] { loaded = backend->load(dataset, pool); });
    return loaded;
  };
  std::vector<RuleCounts> expected;
  std::string backend_name;
  double alone_seconds = 0, part_seconds = 0;
  {
    const auto resident = load();
    backend_name = resident->device().name();
    Stream alone(*resident, rules, pool, nullptr, nullptr);
    alone_seconds = seconds_a_step(communicator, [&] {
      if (communicator.rank() == 0) alone.go_on();
    });
    expected = alone.end().counts();
  }
  const CountingTeam team(communicator, split);
  if (team.splits_rows()) divide(dataset, {communicator.rank(), communicator.size()});
  const auto resident = load();
  const auto reducers = backend->make_reducers(communicator);
  {
    Stream parts(*resident, rules, pool, &team, nullptr);
    part_seconds = seconds_a_step(communicator, [&] { parts.go_on(); });
    parts.end();
  }
  Stream stream(*resident, rules, pool, &team, reducers.front().get());
  const double team_seconds = seconds_a_step(communicator, [&] { stream.go_on(); });
  const Batch& last = stream.end();
  if (communicator.rank() == 0 && last.counts() != expected) {
    throw InternalError("the team counts otherwise than one rank");
  }
  const std::size_t numbers = last.numbers();
  const Record adding = times_of_adding(reducers, numbers, communicator);
  if (communicator.rank() != 0) return;
  state.add({{"bench", "team"},
             {"backend", backend_name},
             {"ranks", communicator.size()},
             {"threads", pool.threads()},
             {"split", names_of(split)[static_cast<std::size_t>(split)]},
             {"rows", workload.rows},
             {"rules", workload.rules},
             {"alone_seconds", alone_seconds},
             {"team_seconds", team_seconds},
             {"part_seconds", part_seconds},
             {"bytes_a_sum", numbers * sizeof(std::uint64_t)},
             {"adding_seconds", adding}});
}

std::vector<Record> team_lines(std::span<const Record> records) {
  Record line = records.front();
  for (const char* const noun : {"thread", "row", "rule"}) {
    line[noun] = counted(line[std::string(noun) + "s"].get<std::uint64_t>(), noun);
  }
  line["ratio"] = number_of(line, "alone_seconds") / number_of(line, "team_seconds");
  return {std::move(line)};
}

std::vector<Record> adding_lines(std::span<const Record> records) {
  std::vector<Record> lines;
  for (const auto& [by, seconds] : records.front()["adding_seconds"].items()) {
    lines.push_back(
        {{"by", by}, {"seconds", seconds}, {"bytes_a_sum", records.front()["bytes_a_sum"]}});
  }
  return lines;
}

std::vector<Table> team_tables() {
  return {{"",
           {{"ranks", "", as_it_is, "{} ranks, "},
            {"thread", "", as_it_is, "{} each, "},
            {"backend", "", as_it_is, "{}; "},
            {"row", "", as_it_is, "{}, "},
            {"rule", "", as_it_is, "{} a batch, "},
            {"split", "", as_it_is, "{} are shared out\n"},
            {"alone_seconds", "", in_ms, "alone           {:.3f} ms\n"},
            {"team_seconds", "", in_ms, "team            {:.3f} ms, "},
            {"ratio", "", as_it_is, "{:.2f} times as fast; "},
            {"part_seconds", "", in_ms, "{:.3f} ms of it to count its part"}},
           team_lines},
          {"",
           {{"seconds", "", in_us, "adding up       {:.1f} us by "},
            {"by", "", as_it_is, "{}, "},
            {"bytes_a_sum", "", as_it_is, "1 sum of {} bytes a batch"}},
           adding_lines}};
}

}  // namespace

Benchmark team_benchmark() {
  std::vector<Axis> axes = workload_axes("1000000", "3200");
  axes.push_back(
      {"--split", "rows|rules", "what the ranks share out", "rows", OneOf{"rows", "rules"}});
  return {.name = "team",
          .measures = "batches that the ranks of mpirun count together, each a part",
          .refuses = "counts by the fused one",
          .on_all_ranks = true,
          .axes = std::move(axes),
          .tables = [](const BenchMachine&) { return team_tables(); },
          .run = run_team};
}

}  // namespace atl
