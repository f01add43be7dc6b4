#include "src/bench/uncertain_job.hpp"

#include <chrono>
#include <memory>
#include <numeric>
#include <stop_token>
#include <utility>

#include "src/core/stopwatch.hpp"
#include "src/exhaustive/levels/candidates.hpp"
#include "src/exhaustive/levels/item_bitmaps.hpp"

namespace atl {
namespace {

/// What a search asks for.
struct Watch {
  bool keeps = false;  // the candidates
  UncertainJob job = {};
  std::vector<std::uint32_t> ranks = {};  // [items of the columns at hand] their place in job.items

  void add(std::span<const std::uint32_t> prefix, std::uint32_t rare, std::uint32_t frequent) {
    const std::size_t length = prefix.size() + 2;
    while (job.candidates.size() + 1 < length) {
      job.candidates.push_back(
          RankedSets{static_cast<std::uint32_t>(job.candidates.size()) + 2, {}});
    }
    std::vector<std::uint32_t>& to = job.candidates[length - 2].ranks;
    for (const std::uint32_t rank : prefix) to.push_back(ranks[rank]);
    to.push_back(ranks[rare]);
    to.push_back(ranks[frequent]);
  }
};

class WatchedCounter final : public CandidateCounter {
 public:
  WatchedCounter(std::unique_ptr<CandidateCounter> counter, Watch& watch)
      : counter_(std::move(counter)), watch_(watch) {}

  void count_pairs(std::uint32_t first, std::uint32_t last,
                   std::span<std::uint32_t> supports) override {
    {
      const Stopwatch time(watch_.job.count_seconds);
      counter_->count_pairs(first, last, supports);
    }
    if (!watch_.keeps) return;
    for (std::uint32_t rare = first; rare < last; ++rare) {
      for (std::uint32_t frequent = 0; frequent < rare; ++frequent) watch_.add({}, rare, frequent);
    }
  }
  void count(std::span<Candidates> candidates) override {
    {
      const Stopwatch time(watch_.job.count_seconds);
      counter_->count(candidates);
    }
    if (!watch_.keeps) return;
    for (const Candidates& all : candidates) {
      std::size_t c = 0;
      for (const Candidates::Class& its : all.classes) {
        const auto prefix = std::span(all.prefixes).subspan(its.prefix, all.prefix_length);
        for (; c < its.end; ++c) watch_.add(prefix, all.pairs[c].rare, all.pairs[c].frequent);
      }
    }
  }

 private:
  std::unique_ptr<CandidateCounter> counter_;
  Watch& watch_;
};

class WatchedMeter final : public SupportMeter {
 public:
  WatchedMeter(std::unique_ptr<SupportMeter> meter, Watch& watch)
      : meter_(std::move(meter)), watch_(watch) {}

  void sum(const RankedSets& sets, std::span<CoverSums> sums) override {
    const Stopwatch time(watch_.job.sum_seconds);
    meter_->sum(sets, sums);
  }
  void find_tails(const RankedSets& sets, std::span<const std::uint32_t> least,
                  std::span<double> tails) override {
    const Stopwatch time(watch_.job.tail_seconds);
    meter_->find_tails(sets, least, tails);
  }

 private:
  std::unique_ptr<SupportMeter> meter_;
  Watch& watch_;
};

/// The frequent sets of a level become the last one. @pre there are some
void push_level(std::vector<ItemsetLevel>& levels, UncertainChildren found) {
  if (!levels.empty()) {
    std::vector<std::uint32_t>& first_child = levels.back().first_child;
    first_child.assign(1, 0);
    for (const std::uint32_t number : found.numbers) {
      first_child.push_back(first_child.back() + number);
    }
  }
  levels.emplace_back().ranks = std::move(found.ranks);
}

void search(UncertainSearch& search, Watch& watch) {
  UncertainJob& job = watch.job;
  job.items = search.names();
  watch.ranks.resize(job.items.size());
  std::iota(watch.ranks.begin(), watch.ranks.end(), 0U);
  UncertainChildren found = search.find({0, search.items()}, {});
  job.judged.add(found.judged);
  job.frequent.push_back(found.ranks.size());
  if (found.ranks.empty()) return;
  watch.ranks = found.ranks;
  search.keep_items(found.ranks);
  std::iota(found.ranks.begin(), found.ranks.end(), 0U);
  push_level(search.levels(), std::move(found));
  while (search.levels().back().ranks.size() > 1) {
    found = search.find({0, search.levels().back().sets()}, {});
    job.judged.add(found.judged);
    if (found.ranks.empty()) return;
    job.frequent.push_back(found.ranks.size());
    push_level(search.levels(), std::move(found));
  }
}

}  // namespace

std::uint64_t UncertainJob::sets() const noexcept {
  return std::accumulate(frequent.begin(), frequent.end(), std::uint64_t{0});
}

UncertainJob run_uncertain_job(const TransactionSet& transactions, const UncertainLimits& limits,
                               const MakeUncertainMeans& make_means, ThreadPool& pool, bool keeps) {
  Watch watch{keeps};
  const auto begun = std::chrono::steady_clock::now();
  UncertainSearch levels(
      transactions, limits,
      [&](const UncertainColumns& columns) {
        UncertainMeans means = make_means(columns);
        return UncertainMeans{std::make_unique<WatchedCounter>(std::move(means.counter), watch),
                              std::make_unique<WatchedMeter>(std::move(means.meter), watch)};
      },
      pool);
  search(levels, watch);
  watch.job.wall_seconds = seconds_since(begun);
  return std::move(watch.job);
}

}  // namespace atl
