#include "src/exhaustive/levels/apriori.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "src/core/error.hpp"
#include "src/exhaustive/levels/candidate_maker.hpp"

namespace atl {
namespace {

/// Pairs that are counted at once, at least those of one item.
constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 24;
/// Ranges of sets whose candidates are counted at once.
constexpr std::size_t tasks_at_once = 128;

void append(ItemsetLevel& level, std::uint32_t rank, std::uint32_t support) {
  level.ranks.push_back(rank);
  level.supports.push_back(support);
}

}  // namespace

LevelSearch::LevelSearch(const ItemBitmaps& bitmaps, const ItemsetLimits& limits,
                         CandidateCounter& counter, ThreadPool& pool, std::uint64_t max_bytes)
    : bitmaps_(bitmaps),
      limits_(limits),
      counter_(counter),
      pool_(pool),
      max_bytes_(max_bytes),
      found_(bitmaps.names) {
  if (limits_.max_length == 0 || bitmaps_.items() == 0) return;
  ItemsetLevel items;
  items.ranks.resize(bitmaps_.items());
  std::iota(items.ranks.begin(), items.ranks.end(), 0U);
  items.supports = bitmaps_.supports;
  levels().push_back(std::move(items));
}

bool LevelSearch::has_next() const {
  const std::vector<ItemsetLevel>& levels = found_.levels;
  if (levels.empty() || levels.size() >= limits_.max_length) return false;
  return levels.size() == 1 || levels.back().sets() > levels.size();
}

std::uint32_t LevelSearch::work(std::uint32_t first, std::uint32_t end,
                                const std::stop_token& stop) {
  return levels().size() == 1 ? find_pairs(first, end, stop) : find_next(first, end, stop);
}

void LevelSearch::end_level() {
  first_child_.push_back(next_.sets());
  levels().back().first_child = std::exchange(first_child_, {});
  levels().push_back(std::exchange(next_, {}));
}

ItemsetLevels LevelSearch::take() {
  if (!levels().empty() && levels().back().sets() == 0) {
    levels().pop_back();
    levels().back().first_child.clear();
  }
  return std::move(found_);
}

/// The first item has none before it.
std::uint32_t LevelSearch::find_pairs(std::uint32_t first, std::uint32_t end,
                                      const std::stop_token& stop) {
  std::vector<std::uint32_t> supports;
  if (first == 0) {
    first_child_.push_back(0);
    first = std::min(1U, end);
  }
  while (first < end && !stop.stop_requested()) {
    std::uint32_t last = first + 1;
    while (last < end && pairs_before(last + 1) - pairs_before(first) <= pairs_at_once) ++last;
    supports.resize(pairs_before(last) - pairs_before(first));
    counter_.count_pairs(first, last, supports);
    const std::uint32_t* support = supports.data();
    for (; first < last; ++first) {
      first_child_.push_back(next_.sets());
      make_room(first);
      for (std::uint32_t rank = 0; rank < first; ++rank, ++support) {
        if (*support >= limits_.min_count) append(next_, rank, *support);
      }
    }
  }
  return first;
}

std::uint32_t LevelSearch::find_next(std::uint32_t first, std::uint32_t end,
                                     const std::stop_token& stop) {
  if (first == 0) first_child_.reserve(std::size_t{levels().back().sets()} + 1);
  JoinRanges tasks(levels(), first, end);
  while (!tasks.done() && !stop.stop_requested()) {
    std::vector<SetRange> ranges;
    while (!tasks.done() && ranges.size() < tasks_at_once) ranges.push_back(tasks.next());
    count(ranges);
    for (std::size_t t = 0; t < ranges.size(); ++t) take(candidates_[t], ranges[t]);
  }
  return tasks.at();
}

void LevelSearch::count(const std::vector<SetRange>& ranges) {
  candidates_.resize(std::max(candidates_.size(), ranges.size()));
  std::vector<CandidateMaker> makers(pool_.threads(), CandidateMaker(levels()));
  pool_.wait(pool_.submit(ranges.size(), [&](std::size_t t, unsigned worker) {
    makers[worker].make(ranges[t].first, ranges[t].last, candidates_[t]);
  }));
  counter_.count(std::span(candidates_).first(ranges.size()));
}

/// Appends the frequent ones.
void LevelSearch::take(const Candidates& candidates, const SetRange& range) {
  make_room(candidates.pairs.size());
  std::size_t c = 0;
  std::uint32_t set = range.first;
  for (const Candidates::Group& group : candidates.groups) {
    for (; set <= group.set; ++set) first_child_.push_back(next_.sets());
    for (; c < group.end; ++c) {
      if (candidates.supports[c] < limits_.min_count) continue;
      append(next_, candidates.pairs[c].frequent, candidates.supports[c]);
    }
  }
  for (; set < range.last; ++set) first_child_.push_back(next_.sets());
}

/// Makes room for the arrays that grow, beside those that they leave.
void LevelSearch::make_room(std::size_t more) {
  const std::size_t needed = next_.ranks.size() + more;
  if (needed <= next_.ranks.capacity()) return;
  const std::size_t room = std::max(needed, next_.ranks.capacity() * 3 / 2);
  std::uint64_t sets = next_.sets();
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
  next_.ranks.reserve(room);
  next_.supports.reserve(room);
}

namespace {

void put(ByteWriter& out, const ItemsetLevel& level) {
  out.put_all(std::span(level.ranks));
  out.put_all(std::span(level.supports));
  out.put_all(std::span(level.first_child));
}

/// @param items  that a set's last one may be among
ItemsetLevel get_level(ByteReader& in, std::uint32_t items) {
  ItemsetLevel level;
  level.ranks = in.get_all<std::uint32_t>();
  level.supports = in.get_all<std::uint32_t>();
  level.first_child = in.get_all<std::uint32_t>();
  require_bytes(level.ranks.size() == level.supports.size() &&
                    std::ranges::all_of(level.ranks, [&](auto rank) { return rank < items; }),
                "a level has items that there are not");
  return level;
}

/// @param first_child  of sets, perhaps not of all, to those of the next level
void expect_children(std::span<const std::uint32_t> first_child, const ItemsetLevel& next) {
  require_bytes(std::ranges::is_sorted(first_child) &&
                    (first_child.empty() || first_child.back() <= next.sets()),
                "sets have children that there are not");
}

}  // namespace

void LevelSearch::save(ByteWriter& out) const {
  out.put(std::uint64_t{found_.levels.size()});
  for (const ItemsetLevel& level : found_.levels) put(out, level);
  put(out, next_);
  out.put_all(std::span(first_child_));
}

void LevelSearch::load(ByteReader& in) {
  const std::uint32_t items = bitmaps_.items();
  std::vector<ItemsetLevel> loaded(in.get_count(24));
  for (ItemsetLevel& level : loaded) level = get_level(in, items);
  ItemsetLevel next = get_level(in, items);
  std::vector<std::uint32_t> first_child = in.get_all<std::uint32_t>();
  for (std::size_t l = 0; l < loaded.size(); ++l) {
    const bool last = l + 1 == loaded.size();
    require_bytes(loaded[l].first_child.size() == (last ? 0 : std::size_t{loaded[l].sets()} + 1),
                  "a level has not what comes after it");
    expect_children(last ? first_child : loaded[l].first_child, last ? next : loaded[l + 1]);
  }
  require_bytes(loaded.empty() == levels().empty() &&
                    (loaded.empty() || loaded[0].ranks == levels()[0].ranks),
                "the items are not those of the data");
  levels() = std::move(loaded);
  next_ = std::move(next);
  first_child_ = std::move(first_child);
}

ItemsetLevels find_levels(const ItemBitmaps& bitmaps, const ItemsetLimits& limits,
                          CandidateCounter& counter, ThreadPool& pool, std::uint64_t max_bytes) {
  LevelSearch search(bitmaps, limits, counter, pool, max_bytes);
  while (search.has_next()) {
    search.work(0, search.last_level_size(), {});
    search.end_level();
  }
  return search.take();
}

}  // namespace atl
