#include "src/exhaustive/levels/apriori.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "src/core/error.hpp"
#include "src/exhaustive/levels/candidate_maker.hpp"

namespace atl {

namespace {

/// Pairs that are counted at once, at least those of one item.
constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 24;
/// Joins of a task, at least those of one set, and tasks at once.
constexpr std::uint64_t joins_of_task = std::uint64_t{1} << 17;
constexpr std::size_t tasks_at_once = 128;

struct SetRange {
  std::uint32_t first, last;
};

/// Cuts the last level into ranges of about as many joins.
class Tasks {
 public:
  explicit Tasks(const std::vector<ItemsetLevel>& levels)
      : first_child_(levels[levels.size() - 2].first_child), sets_(levels.back().sets()) {}

  bool done() const noexcept { return next_ == sets_; }
  SetRange next() {
    const std::uint32_t first = next_;
    std::uint64_t joins = 0;
    do {
      while (first_child_[parent_ + 1] <= next_) ++parent_;
      joins += next_ - first_child_[parent_];
      ++next_;
    } while (next_ < sets_ && next_ - first < joins_of_task && joins < joins_of_task);
    return {first, next_};
  }

 private:
  const std::vector<std::uint32_t>& first_child_;
  std::uint32_t sets_;
  std::uint32_t next_ = 0, parent_ = 0;
};

class LevelSearch {
 public:
  LevelSearch(const ItemBitmaps& bitmaps, const ItemsetLimits& limits, CandidateCounter& counter,
              ThreadPool& pool, std::uint64_t max_bytes)
      : bitmaps_(bitmaps),
        limits_(limits),
        counter_(counter),
        pool_(pool),
        max_bytes_(max_bytes),
        found_(bitmaps.names) {}

  ItemsetLevels run() {
    if (limits_.max_length == 0 || bitmaps_.items() == 0) return std::move(found_);
    ItemsetLevel items;
    items.ranks.resize(bitmaps_.items());
    std::iota(items.ranks.begin(), items.ranks.end(), 0U);
    items.supports = bitmaps_.supports;
    levels().push_back(std::move(items));
    if (limits_.max_length > 1) find_pairs();
    while (levels().back().sets() > levels().size() && levels().size() > 1 &&
           levels().size() < limits_.max_length) {
      find_next();
    }
    if (levels().back().sets() == 0) {
      levels().pop_back();
      levels().back().first_child.clear();
    }
    return std::move(found_);
  }

 private:
  std::vector<ItemsetLevel>& levels() noexcept { return found_.levels; }

  void find_pairs() {
    ItemsetLevel next;
    std::vector<std::uint32_t> first_child{0, 0}, supports;  // the first item has no earlier one
    const std::uint32_t items = bitmaps_.items();
    for (std::uint32_t first = 1, last = 0; first < items; first = last) {
      last = first + 1;
      while (last < items && pairs_before(last + 1) - pairs_before(first) <= pairs_at_once) ++last;
      supports.resize(pairs_before(last) - pairs_before(first));
      counter_.count_pairs(first, last, supports);
      const std::uint32_t* support = supports.data();
      for (std::uint32_t rare = first; rare < last; ++rare) {
        make_room(next, rare);
        for (std::uint32_t rank = 0; rank < rare; ++rank, ++support) {
          if (*support >= limits_.min_count) append(next, rank, *support);
        }
        first_child.push_back(next.sets());
      }
    }
    levels().back().first_child = std::move(first_child);
    levels().push_back(std::move(next));
  }

  void find_next() {
    ItemsetLevel next;
    std::vector<std::uint32_t> first_child;
    first_child.reserve(std::size_t{levels().back().sets()} + 1);
    for (Tasks tasks(levels()); !tasks.done();) {
      std::vector<SetRange> ranges;
      while (!tasks.done() && ranges.size() < tasks_at_once) ranges.push_back(tasks.next());
      count(ranges);
      for (std::size_t t = 0; t < ranges.size(); ++t) {
        take(candidates_[t], ranges[t], next, first_child);
      }
    }
    first_child.push_back(next.sets());
    levels().back().first_child = std::move(first_child);
    levels().push_back(std::move(next));
  }

  void count(const std::vector<SetRange>& ranges) {
    candidates_.resize(std::max(candidates_.size(), ranges.size()));
    std::vector<CandidateMaker> makers(pool_.threads(), CandidateMaker(levels()));
    pool_.wait(pool_.submit(ranges.size(), [&](std::size_t t, unsigned worker) {
      makers[worker].make(ranges[t].first, ranges[t].last, candidates_[t]);
    }));
    counter_.count(std::span(candidates_).first(ranges.size()));
  }

  /// Appends the frequent ones.
  void take(const Candidates& candidates, const SetRange& range, ItemsetLevel& next,
            std::vector<std::uint32_t>& first_child) {
    make_room(next, candidates.pairs.size());
    std::size_t c = 0;
    std::uint32_t set = range.first;
    for (const Candidates::Group& group : candidates.groups) {
      for (; set <= group.set; ++set) first_child.push_back(next.sets());
      for (; c < group.end; ++c) {
        if (candidates.supports[c] < limits_.min_count) continue;
        append(next, candidates.pairs[c].frequent, candidates.supports[c]);
      }
    }
    for (; set < range.last; ++set) first_child.push_back(next.sets());
  }

  static void append(ItemsetLevel& level, std::uint32_t rank, std::uint32_t support) {
    level.ranks.push_back(rank);
    level.supports.push_back(support);
  }

  /// For the arrays that grow and those that they leave.
  void make_room(ItemsetLevel& level, std::size_t more) {
    const std::size_t needed = level.ranks.size() + more;
    if (needed <= level.ranks.capacity()) return;
    const std::size_t room = std::max(needed, level.ranks.capacity() * 3 / 2);
    std::uint64_t sets = level.sets();
    for (const ItemsetLevel& held : levels()) sets += held.sets();
    const std::uint64_t bytes = ItemsetLevels::bytes_of_set * (sets + room);
    if (bytes > max_bytes_ || needed > ItemsetLevels::most_sets) {
      throw UsageError("apriori holds " + std::to_string(sets) + " sets of up to " +
                       std::to_string(levels().size() + 1) + " items and may need " +
                       std::to_string((bytes >> 20) + 1) +
                       " MiB with the next ones, beyond what --memory-limit leaves (" +
                       std::to_string(max_bytes_ >> 20) +
                       " MiB): take a greater support, --max-length, or the default algorithm, "
                       "which holds no sets");
    }
    level.ranks.reserve(room);
    level.supports.reserve(room);
  }

  const ItemBitmaps& bitmaps_;
  ItemsetLimits limits_;
  CandidateCounter& counter_;
  ThreadPool& pool_;
  std::uint64_t max_bytes_;
  ItemsetLevels found_;
  std::vector<Candidates> candidates_;  // of each task
};

}  // namespace

ItemsetLevels find_levels(const ItemBitmaps& bitmaps, const ItemsetLimits& limits,
                          CandidateCounter& counter, ThreadPool& pool, std::uint64_t max_bytes) {
  return LevelSearch(bitmaps, limits, counter, pool, max_bytes).run();
}

}  // namespace atl
