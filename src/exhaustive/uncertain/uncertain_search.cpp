#include "src/exhaustive/uncertain/uncertain_search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/exhaustive/itemsets/ranked_rows.hpp"
#include "src/exhaustive/uncertain/item_sums.hpp"

namespace atl {
namespace {

/// Ranges of sets of which candidates are made at once.
constexpr std::size_t ranges_judged_at_once = 8;
/// Each takes the reference a millisecond or more.
constexpr std::uint64_t candidates_of_reference = 256;

}  // namespace

UncertainMeans reference_means(const UncertainColumns& columns) {
  return {make_reference_candidate_counter(columns.bitmaps), make_reference_support_meter(columns),
          candidates_of_reference};
}

MakeUncertainMeans means_of_cores(ThreadPool& pool) {
  return [&pool](const UncertainColumns& columns) -> UncertainMeans {
    return {make_cpu_candidate_counter(columns.bitmaps, pool),
            make_cpu_support_meter(columns, pool)};
  };
}

void put(ByteWriter& out, const JudgedSets& judged) {
  for (const std::uint64_t number :
       {judged.counted, judged.by_count, judged.by_bounds, judged.proved, judged.distributions,
        judged.shared, judged.carefully}) {
    out.put(number);
  }
}

JudgedSets get_judged(ByteReader& in) {
  JudgedSets judged;
  for (std::uint64_t* const number :
       {&judged.counted, &judged.by_count, &judged.by_bounds, &judged.proved, &judged.distributions,
        &judged.shared, &judged.carefully}) {
    *number = in.get<std::uint64_t>();
  }
  return judged;
}

void put(ByteWriter& out, std::span<const UncertainSupport> supports) {
  out.put(std::uint64_t{supports.size()});
  for (const UncertainSupport& support : supports) {
    out.put(support.probability);
    out.put(support.rows);
    out.put(support.expected);
    out.put(support.variance);
  }
}

std::vector<UncertainSupport> get_supports(ByteReader& in) {
  constexpr std::size_t bytes = 3 * sizeof(double) + sizeof(std::uint32_t);
  std::vector<UncertainSupport> supports(in.get_count(bytes));
  for (UncertainSupport& support : supports) {
    support.probability = in.get<double>();
    support.rows = in.get<std::uint32_t>();
    support.expected = in.get<double>();
    support.variance = in.get<double>();
  }
  return supports;
}

void UncertainChildren::put(ByteWriter& out) const {
  out.put(sets.first);
  out.put(sets.last);
  out.put_all(std::span(numbers));
  out.put_all(std::span(ranks));
  atl::put(out, supports);
  atl::put(out, judged);
}

UncertainChildren UncertainChildren::get(ByteReader& in) {
  UncertainChildren found;
  found.sets.first = in.get<std::uint32_t>();
  found.sets.last = in.get<std::uint32_t>();
  found.numbers = in.get_all<std::uint32_t>();
  found.ranks = in.get_all<std::uint32_t>();
  found.supports = get_supports(in);
  found.judged = get_judged(in);
  const std::uint64_t children =
      std::accumulate(found.numbers.begin(), found.numbers.end(), std::uint64_t{0});
  require_bytes(found.sets.first <= found.sets.last &&
                    found.numbers.size() == found.sets.last - found.sets.first &&
                    found.ranks.size() == children && found.supports.size() == children,
                "sets have not the children that are told");
  return found;
}

UncertainSearch::UncertainSearch(const TransactionSet& transactions, const UncertainLimits& limits,
                                 MakeUncertainMeans make_means, ThreadPool& pool)
    : limits_(limits),
      make_means_(std::move(make_means)),
      pool_(pool),
      columns_(transactions, likely_items(transactions, limits, pool), &pool) {}

void UncertainSearch::keep_items(const std::vector<std::uint32_t>& ranks) {
  judge_.reset();
  means_ = {};
  columns_.bitmaps = columns_.bitmaps.only(ranks);
}

void UncertainSearch::make_means() {
  if (judge_) return;
  means_ = make_means_(columns_);
  judge_.emplace(columns_, *means_.meter, pool_, limits_);
}

UncertainChildren UncertainSearch::find(SetRange sets, const std::stop_token& stop) {
  make_means();
  at_ = sets.first;
  UncertainChildren found;
  found.sets = {sets.first, sets.first};
  if (levels_.empty()) {
    find_items(sets, found);
  } else if (levels_.size() == 1) {
    find_pairs(sets, stop, found);
  } else {
    find_next(sets, stop, found);
  }
  found.judged.add(judge_->take_judged());
  return found;
}

void UncertainSearch::ask(std::uint32_t set, std::span<const std::uint32_t> prefix, ItemPair pair,
                          std::uint32_t count) {
  asked_.ranks.insert(asked_.ranks.end(), prefix.begin(), prefix.end());
  asked_.ranks.push_back(pair.rare);
  asked_.ranks.push_back(pair.frequent);
  parents_.push_back(set);
  counts_.push_back(count);
}

/// The frequent ones of those that were asked for become children. @pre found.numbers are there
void UncertainSearch::judge(UncertainChildren& found) {
  const std::vector<Verdict> verdicts = judge_->judge(asked_, counts_);
  for (std::size_t s = 0; s < verdicts.size(); ++s) {
    if (!verdicts[s].frequent) continue;
    ++found.numbers[parents_[s] - found.sets.first];
    found.ranks.push_back(asked_[s].back());
    found.supports.push_back(verdicts[s].support);
  }
  asked_.ranks.clear();
  parents_.clear();
  counts_.clear();
  at_ = found.sets.last;
}

void UncertainSearch::find_items(SetRange range, UncertainChildren& found) {
  asked_.length = 1;
  found.sets.last = range.last;
  found.numbers.assign(range.last - range.first, 0);
  for (std::uint32_t rank = range.first; rank < range.last; ++rank) {
    asked_.ranks.push_back(rank);
    parents_.push_back(rank);
    counts_.push_back(columns_.bitmaps.supports[rank]);
  }
  judge(found);
}

/// Each item with all more frequent ones; the first has none.
void UncertainSearch::find_pairs(SetRange range, const std::stop_token& stop,
                                 UncertainChildren& found) {
  std::vector<std::uint32_t> supports;
  asked_.length = 2;
  std::uint32_t& at = found.sets.last;
  if (at == 0 && at < range.last) {
    found.numbers.push_back(0);
    ++at;
  }
  while (at < range.last && !stop.stop_requested()) {
    const std::uint32_t first = at;
    do {
      ++at;
    } while (at < range.last &&
             pairs_before(at + 1) - pairs_before(first) <= means_.candidates_at_once);
    found.numbers.resize(at - found.sets.first, 0);
    supports.resize(pairs_before(at) - pairs_before(first));
    means_.counter->count_pairs(first, at, supports);
    const std::uint32_t* support = supports.data();
    for (std::uint32_t rare = first; rare < at; ++rare) {
      for (std::uint32_t frequent = 0; frequent < rare; ++frequent) {
        const std::uint32_t count = *support++;
        if (count >= limits_.min_count) ask(rare, {}, {rare, frequent}, count);
      }
    }
    found.judged.by_count += supports.size() - parents_.size();
    found.judged.counted += supports.size() - parents_.size();
    judge(found);
  }
}

void UncertainSearch::find_next(SetRange range, const std::stop_token& stop,
                                UncertainChildren& found) {
  asked_.length = static_cast<std::uint32_t>(levels_.size()) + 1;
  std::vector<CandidateMaker> makers(pool_.threads(), CandidateMaker(levels_));
  JoinRanges ranges(levels_, range.first, range.last,
                    means_.candidates_at_once / ranges_judged_at_once);
  while (!ranges.done() && !stop.stop_requested()) {
    std::vector<SetRange> some;
    while (!ranges.done() && some.size() < ranges_judged_at_once) some.push_back(ranges.next());
    candidates_.resize(std::max(candidates_.size(), some.size()));
    pool_.wait(pool_.submit(some.size(), [&](std::size_t k, unsigned worker) {
      makers[worker].make(some[k].first, some[k].last, candidates_[k]);
    }));
    const auto made = std::span(candidates_).first(some.size());
    means_.counter->count(made);
    found.sets.last = ranges.at();
    found.numbers.resize(found.sets.last - found.sets.first, 0);
    for (const Candidates& all : made) {
      ask_frequent(all);
      found.judged.by_count += all.pairs.size();
      found.judged.counted += all.pairs.size();
    }
    found.judged.by_count -= parents_.size();
    found.judged.counted -= parents_.size();
    judge(found);
  }
}

/// Asks for the candidates that enough transactions have.
void UncertainSearch::ask_frequent(const Candidates& all) {
  std::size_t of_class = 0;
  std::size_t c = 0;
  for (const Candidates::Group& group : all.groups) {
    for (; c < group.end; ++c) {
      while (all.classes[of_class].end <= c) ++of_class;
      if (all.supports[c] < limits_.min_count) continue;
      const auto prefix =
          std::span(all.prefixes).subspan(all.classes[of_class].prefix, all.prefix_length);
      ask(group.set, prefix, all.pairs[c], all.supports[c]);
    }
  }
}

}  // namespace atl
