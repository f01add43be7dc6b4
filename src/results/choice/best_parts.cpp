#include "src/results/choice/best_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace atl {
namespace {

constexpr std::size_t grid_bins = 16;
constexpr double clear = 2;  // standard errors

/// Cuts: the first levels of the bins of the grid, ascending, and behind them the number of levels.
/// A level with the rows of a bin is one by itself.
std::vector<std::uint32_t> grid_of(std::span<const RowSample::Level> levels,
                                   std::uint32_t distinct) {
  std::vector<std::size_t> rows(distinct, 0);
  for (const RowSample::Level level : levels) {
    if (level < distinct) ++rows[level];
  }
  const std::size_t all = std::accumulate(rows.begin(), rows.end(), std::size_t{0});
  std::vector<std::uint32_t> cuts = {0};
  const auto cut = [&](std::uint32_t at) {
    if (cuts.back() != at) cuts.push_back(at);
  };
  std::size_t in_bin = 0;
  for (std::uint32_t level = 0; level < distinct; ++level) {
    const bool alone = grid_bins * rows[level] >= all;
    if (alone) cut(level);
    in_bin = alone ? all : in_bin + rows[level];
    if (grid_bins * in_bin < all) continue;
    cut(level + 1);
    in_bin = 0;
  }
  cut(distinct);
  return cuts;
}

/// Ranges of levels between two cuts, by what the levels before each cut gain.
class Ranges {
 public:
  explicit Ranges(const LevelGains& sums)
      : levels_(static_cast<std::uint32_t>(sums.gains.size())),
        before_(std::size_t{levels_} + 1, 0),
        squares_(std::size_t{levels_} + 1, 0) {
    std::partial_sum(sums.gains.begin(), sums.gains.end(), before_.begin() + 1);
    std::partial_sum(sums.squares.begin(), sums.squares.end(), squares_.begin() + 1);
  }

  struct Range {
    std::uint32_t begin = 0, end = 0;  // cuts
  };

  std::int64_t gain(const Range& range) const { return before_[range.end] - before_[range.begin]; }
  bool is_open(const Range& range) const { return range.begin == 0 || range.end == levels_; }

  /// The one of most gain; the first of equals.
  Range best(std::span<const std::uint32_t> cuts) const {
    Range best;
    std::uint32_t least = 0;  // the cut up to here with the least before it
    for (const std::uint32_t cut : cuts) {
      if (before_[cut] - before_[least] > gain(best)) best = {least, cut};
      if (before_[cut] < before_[least]) least = cut;
    }
    return best;
  }

  Range best_of_all() const {
    std::vector<std::uint32_t> cuts(before_.size());
    std::iota(cuts.begin(), cuts.end(), 0U);
    const Range range = best(cuts);
    return is_clear(gain(range), between(range.begin, range.end)) ? range : Range{};
  }

  /// The best range, of those that begin with the first level and not all.
  Range best_from_first(std::span<const std::uint32_t> cuts) const {
    Range best;
    for (const std::uint32_t cut : cuts) {
      if (cut < levels_ && gain({0, cut}) > gain(best)) best = {0, cut};
    }
    return best;
  }

  /// The best range, of those that end with the last level.
  Range best_to_last(std::span<const std::uint32_t> cuts) const {
    Range best{levels_, levels_};
    for (const std::uint32_t cut : cuts) {
      if (cut > 0 && gain({cut, levels_}) > gain(best)) best = {cut, levels_};
    }
    return best;
  }

  /// Moves the end to where the gain is most, if that is clear.
  void move_end(Range& range) const {
    std::uint32_t to = range.end;
    for (std::uint32_t cut = range.begin + 1; cut < levels_; ++cut) {
      if (before_[cut] > before_[to]) to = cut;
    }
    if (is_clear(before_[to] - before_[range.end], between(range.end, to))) range.end = to;
  }

  void move_begin(Range& range) const {
    std::uint32_t to = range.begin;
    for (std::uint32_t cut = 1; cut < range.end; ++cut) {
      if (before_[cut] < before_[to]) to = cut;
    }
    if (is_clear(before_[range.begin] - before_[to], between(range.begin, to))) range.begin = to;
  }

 private:
  double between(std::uint32_t a, std::uint32_t b) const {
    return squares_[std::max(a, b)] - squares_[std::min(a, b)];
  }
  static bool is_clear(std::int64_t gain, double square) {
    return gain > 0 && static_cast<double>(gain) > clear * std::sqrt(square);
  }

  std::uint32_t levels_;
  std::vector<std::int64_t> before_;  // [cut]
  std::vector<double> squares_;       // [cut]
};

}  // namespace

BestParts::BestParts(const RowSample& sample, const BoundGrammar& grammar)
    : sample_(sample), grammar_(grammar), grid_(sample.attributes().size()) {
  for (std::uint32_t a = 0; a < grid_.size(); ++a) {
    if (sample.attributes()[a].ordered() && sample.distinct(a) > 0) {
      grid_[a] = grid_of(sample.levels(a), sample.distinct(a));
    }
  }
}

void BestParts::find(std::uint32_t attribute, const LevelGains& sums,
                     std::vector<LevelRange>& out) const {
  if (!sample_.attributes()[attribute].ordered()) {
    if (grammar_.has(BoundRelation::equal, attribute, true)) find_labels(attribute, sums, out);
  } else if (const auto presence = grammar_.presence(attribute)) {
    const std::uint32_t level = sample_.level_of(attribute, *presence);
    if (sums.gains[level] > 0) out.push_back({level, level, sums.gains[level]});
  } else {
    find_bounds(attribute, sums, out);
  }
}

void BestParts::find_labels(std::uint32_t attribute, const LevelGains& sums,
                            std::vector<LevelRange>& out) const {
  const auto presence = grammar_.presence(attribute);
  for (std::uint32_t level = 0; level < sums.gains.size(); ++level) {
    const std::int64_t gain = sums.gains[level];
    if (gain > 0 && presence.value_or(level) == level) out.push_back({level, level, gain});
  }
}

void BestParts::find_bounds(std::uint32_t attribute, const LevelGains& sums,
                            std::vector<LevelRange>& out) const {
  const Ranges ranges(sums);
  const std::vector<std::uint32_t>& grid = grid_[attribute];
  const auto offer = [&](BoundRelation form, const Ranges::Range& range) {
    if (ranges.gain(range) <= 0 || !grammar_.has(form, attribute, true)) return;
    out.push_back({range.begin, range.end - 1, ranges.gain(range)});
  };
  Ranges::Range closed = ranges.best(grid);
  if (ranges.gain(closed) <= 0) closed = ranges.best_of_all();  // within a bin that does not gain
  if (!ranges.is_open(closed)) {
    ranges.move_end(closed);
    ranges.move_begin(closed);
    offer(BoundRelation::interval, closed);
  }
  Ranges::Range up_to = ranges.best_from_first(grid);
  ranges.move_end(up_to);
  offer(BoundRelation::less_equal, up_to);
  Ranges::Range from = ranges.best_to_last(grid);
  ranges.move_begin(from);
  offer(BoundRelation::greater, from);
}

}  // namespace atl
