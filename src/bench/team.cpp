#include "src/bench/team.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/bench/stopwatch.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/near_names.hpp"
#include "src/core/stopwatch.hpp"
#include "src/data/divide.hpp"
#include "src/eval/counting_team.hpp"
#include "src/run/rank_place.hpp"
#include "src/run/reducers.hpp"

namespace atl {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double seconds_each = 0.2;
constexpr std::uint64_t fewest_times = 5, most_times = 2000;

/// Does something as often as rank 0 has the time for, each time at once on all ranks.
/// @return the median of this rank's seconds
double median_seconds(Communicator& ranks, const std::function<void()>& action) {
  const auto once = [&] {
    ranks.barrier();
    const Clock::time_point start = Clock::now();
    action();
    return seconds_since(start);
  };
  once();  // what is made at first
  std::uint64_t times = 0;
  const double first = once();
  if (ranks.rank() == 0) {
    times = std::clamp(static_cast<std::uint64_t>(seconds_each / std::max(first, 1e-6)),
                       fewest_times, most_times);
  }
  ranks.all_reduce_sum({&times, 1});
  std::vector<double> all;
  for (; times > 0; --times) all.push_back(once());
  return median(std::move(all));
}

/// The rules of several islands, which are counted side by side as they are in a search.
class Batches {
 public:
  /// @param team  null: this rank counts all of them
  Batches(Resident& resident, std::span<const Rule> rules, ThreadPool& pool,
          const CountingTeam* team)
      : pool_(pool), counts_(rules.size()) {
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

  void count() {
    start();
    on_all_islands([](Island& its) { its.read(); });
  }
  void count_and_add(Reducer& reducer) {
    start();
    on_all_islands([this](Island& its) {
      its.read();
      counts_to_numbers(its.rules, its.share, its.counts, options_, its.numbers);
    });
    numbers_.clear();
    for (Island& its : islands_) {
      its.first_number = numbers_.size();
      numbers_.insert(numbers_.end(), its.numbers.begin(), its.numbers.end());
    }
    add_up(reducer, numbers_);
    on_all_islands([this](Island& its) {
      numbers_to_counts(its.rules, std::span(numbers_).subspan(its.first_number), options_,
                        its.counts);
    });
  }
  const std::vector<RuleCounts>& counts() const noexcept { return counts_; }
  const std::vector<std::uint64_t>& numbers() const noexcept { return numbers_; }

 private:
  static constexpr std::size_t island_rules = 200;
  struct Island {
    std::span<const Rule> rules;
    RuleRange share;
    std::unique_ptr<RuleCounter> counter;
    std::span<RuleCounts> counts;
    std::vector<std::uint64_t> numbers;
    std::size_t first_number = 0;  // among those of all

    void read() {
      counter->finish();
      counter->read(counts.subspan(share.begin, share.size()));
    }
  };

  void start() {
    on_all_islands([this](Island& its) {
      its.counter->prepare(its.rules.subspan(its.share.begin, its.share.size()), options_);
      its.counter->start();
    });
  }

  void on_all_islands(const std::function<void(Island&)>& work) {
    pool_.wait(pool_.submit(islands_.size(), [&](std::size_t i, unsigned) { work(islands_[i]); }));
  }

  ThreadPool& pool_;
  const CountingOptions options_;
  std::vector<RuleCounts> counts_;
  std::vector<Island> islands_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace

TeamRecord bench_team(const Machine& machine, const Workload& workload, TeamSplit split,
                      const ChooseBackend& choose_backend, Communicator& communicator) {
  if (communicator.size() == 1) {
    throw UsageError("bench team: one rank is no team; start at least two (mpirun -n 2)");
  }
  TeamRecord record;
  Dataset dataset = workload_data(workload);
  const std::vector<Rule> rules = workload_rules(dataset.attributes(), workload);
  const auto backend = choose_backend(machine, {dataset.rows()}, communicator);
  ThreadPool pool(threads_of(machine, communicator));
  const auto load = [&] {
    std::shared_ptr<Resident> loaded;
    on_all(communicator, [&] { loaded = backend->load(dataset, pool); });
    return loaded;
  };
  std::vector<RuleCounts> expected;
  {
    const auto resident = load();
    record.backend = resident->device().name();
    Batches batches(*resident, rules, pool, nullptr);
    record.alone_seconds = median_seconds(communicator, [&] {
      if (communicator.rank() == 0) batches.count();
    });
    expected = batches.counts();
  }
  const CountingTeam team(communicator, split);
  if (team.splits_rows()) divide(dataset, {communicator.rank(), communicator.size()});
  const auto resident = load();
  Batches batches(*resident, rules, pool, &team);
  const auto reducers = backend->make_reducers(communicator);
  record.part_seconds = median_seconds(communicator, [&] { batches.count(); });
  record.team_seconds =
      median_seconds(communicator, [&] { batches.count_and_add(*reducers.front()); });
  if (communicator.rank() == 0 && batches.counts() != expected) {
    throw InternalError("the team counts otherwise than one rank");
  }
  const std::size_t numbers = batches.numbers().size();
  for (const auto& reducer : reducers) {
    record.adding.push_back({reducer->name(), adding_seconds(*reducer, numbers, communicator)});
  }
  record.ranks = communicator.size();
  record.threads = pool.threads();
  record.split = split;
  record.rows = workload.rows;
  record.rules = workload.rules;
  record.bytes = numbers * sizeof(std::uint64_t);
  return record;
}

std::string team_table(const TeamRecord& r) {
  std::string text = fmt::format(
      "{} ranks, {} each, {}; {}, {} a batch, {} are shared out\n"
      "alone           {:.3f} ms\n"
      "team            {:.3f} ms, {:.2f} times as fast; {:.3f} ms of it to count its part\n",
      r.ranks, counted(r.threads, "thread"), r.backend, counted(r.rows, "row"),
      counted(r.rules, "rule"), names_of(r.split)[static_cast<std::size_t>(r.split)],
      1e3 * r.alone_seconds, 1e3 * r.team_seconds, r.alone_seconds / r.team_seconds,
      1e3 * r.part_seconds);
  for (const AddingTime& adding : r.adding) {
    text += fmt::format("adding up       {:.1f} us by {}, 1 sum of {} bytes a batch\n",
                        1e6 * adding.seconds, adding.by, r.bytes);
  }
  return text;
}

std::string team_json(const TeamRecord& r) {
  nlohmann::ordered_json adding = nlohmann::ordered_json::object();
  for (const AddingTime& one : r.adding) adding[one.by] = one.seconds;
  const nlohmann::ordered_json json = {
      {"bench", "team"},
      {"backend", r.backend},
      {"ranks", r.ranks},
      {"threads", r.threads},
      {"split", names_of(r.split)[static_cast<std::size_t>(r.split)]},
      {"rows", r.rows},
      {"rules", r.rules},
      {"alone_seconds", r.alone_seconds},
      {"team_seconds", r.team_seconds},
      {"part_seconds", r.part_seconds},
      {"bytes_a_sum", r.bytes},
      {"adding_seconds", adding}};
  return nlohmann::ordered_json::array({json}).dump(2) + "\n";
}

}  // namespace atl
