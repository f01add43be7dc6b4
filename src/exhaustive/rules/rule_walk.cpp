// Bound. Let X' contain X, of n rows let c satisfy X and Y, and n_Y satisfy Y. X' and Y hold on
// c' <= c rows, X' on at least c', so n^2 leverage(X' => Y) <= c' n - c' n_Y <= c (n - n_Y). A
// consequent whose bound is below the threshold is given up for all antecedents below (Webb 1995,
// OPUS; Wrobel 1997).
//
// Antecedents of the same rows. If an item leaves the rows of X as they are, a rule with it covers
// what the shorter one without it does, for every antecedent below, and never stands for its class.
#include "src/exhaustive/rules/rule_walk.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "src/data/aligned_words.hpp"
#include "src/exhaustive/rules/row_sets.hpp"
#include "src/exhaustive/rules/walk_units.hpp"

namespace atl {

namespace {

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

using Consequents = std::vector<std::pair<Item, std::uint32_t>>;  // with the rows it shares with X

/// What one thread walks with.
class Walk {
 public:
  Walk(const WalkedSpace& space, const WalkedLength& length, WalkUnits& units,
       const std::stop_token& stop, WalkProgress* progress, std::uint64_t most)
      : space_(space),
        items_(space.items),
        length_(length),
        units_(units),
        stop_(stop),
        progress_(progress),
        most_(most),
        rows_(length.antecedent * items_.words()),
        viable_(length.antecedent) {}

  /// All antecedents that begin with the way and the item.
  void run(const std::vector<Item>& way, Item item) {
    begun_ = found.evaluated;
    unit_ = way.size();
    double untold = progress_ == nullptr ? 0 : progress_->counts.of({way, item, next_to(item)});
    told_ = 0;
    if (way.empty()) {
      begin(item);
    } else if (const auto count = go(way)) {
      extend(way.size() - 1, item, *count);
    }
    found.complete = found.complete && found.evaluated - begun_ <= most_;
    if (!stop_.stop_requested()) tell(untold - told_);
  }

  WalkFindings found;

 private:
  static Item next_to(Item item) { return static_cast<Item>(item + 1U); }

  std::uint64_t* rows(std::size_t depth) { return rows_.data() + depth * items_.words(); }

  void tell(double done) {
    if (progress_ == nullptr) return;
    told_ += done;
    progress_->left.fetch_sub(done, std::memory_order_relaxed);
  }

  bool is_viable(Item y, std::uint32_t both) const {
    return both >= space_.limits.min_count &&
           static_cast<std::int64_t>(both) *
                   static_cast<std::int64_t>(items_.rows() - items_.count(y)) >=
               length_.threshold;
  }

  void keep_if_viable(std::size_t depth, Item y, std::uint32_t both) {
    if (is_viable(y, both)) viable_[depth].emplace_back(y, both);
  }

  void place_first(Item first) {
    way_.clear();
    rule_.items[0] = first;
    std::copy_n(items_.covered(first), items_.words(), rows_.data());
    viable_[0].clear();
    for (const Item y : space_.consequents) {
      if (items_.attribute(y) == items_.attribute(first)) continue;
      keep_if_viable(0, y, space_.pairs(first, y));
    }
  }

  void begin(Item first) {
    if (items_.count(first) == items_.rows()) return;
    place_first(first);
    descend(0, items_.count(first));
  }

  /// Finds the rows and viable consequents of a way that was walked before. They stay for further
  /// items behind it, as deeper ones change nothing there.
  /// @return its rows; none: nothing is below
  std::optional<std::uint64_t> go(const std::vector<Item>& way) {
    if (way == way_) return rows_of_way_;
    const std::uint64_t evaluated = found.evaluated, counted = found.counted;
    place_first(way[0]);
    rows_of_way_ = items_.count(way[0]);
    for (std::size_t depth = 1; depth < way.size() && rows_of_way_; ++depth) {
      rows_of_way_ = step(depth - 1, way[depth], *rows_of_way_);
      rule_.items[depth] = way[depth];
    }
    way_ = way;
    found.evaluated = evaluated;
    found.counted = counted;
    return rows_of_way_;
  }

  /// The antecedent ends at `depth`; its rows and viable consequents are there.
  void descend(std::size_t depth, std::uint64_t n_antecedent) {
    if (depth + 1U == length_.antecedent) {
      emit(depth, n_antecedent);
    } else if (!viable_[depth].empty()) {
      Item& next = next_[depth];
      end_[depth] = static_cast<Item>(items_.size());
      for (next = next_to(rule_.items[depth]);
           next < end_[depth] && found.evaluated - begun_ <= most_; ++next) {
        if (stop_.stop_requested()) {
          found.left.push_back(from(depth, next));
          break;
        }
        if (units_.is_wanted() && most_ == no_limit) give_some(depth);
        extend(depth, next, n_antecedent);
      }
    }
  }

  /// The antecedents of the loop at a depth from an item on.
  WalkRange from(std::size_t depth, Item first) const {
    const auto way = rule_.items.begin();
    return {{way, std::next(way, static_cast<std::ptrdiff_t>(depth + 1))}, first, end_[depth]};
  }

  /// Gives what is behind the present item of the outermost loop that has more, but not of the
  /// innermost of all, where an item takes no time.
  void give_some(std::size_t depth) {
    for (std::size_t d = unit_; d <= depth && d + 2 < length_.antecedent; ++d) {
      const Item rest = next_to(next_[d]);
      if (rest >= end_[d]) continue;
      WalkRange range = from(d, rest);
      end_[d] = rest;
      // This walk will count the range as done, and so will whoever takes it.
      if (progress_ != nullptr) {
        progress_->left.fetch_add(progress_->counts.of(range), std::memory_order_relaxed);
      }
      units_.give(std::move(range));
      return;
    }
  }

  void extend(std::size_t depth, Item next, std::uint64_t n_antecedent) {
    const auto count = step(depth, next, n_antecedent);
    if (count) {
      rule_.items[depth + 1] = next;
      descend(depth + 1, *count);
    }
    if (progress_ == nullptr || depth != unit_ || depth + 2 >= length_.antecedent) return;
    if (stop_.stop_requested()) return;
    tell(progress_->counts.of(depth + 1, rule_.items[depth], next, next_to(next)));
  }

  /// Adds an item to the antecedent. @return its rows; none: nothing can be below
  std::optional<std::uint64_t> step(std::size_t depth, Item next, std::uint64_t n_antecedent) {
    if (items_.attribute(next) == items_.attribute(rule_.items[depth])) return std::nullopt;
    const auto shares_enough = [&](const std::pair<Item, std::uint32_t>& viable) {
      const auto [y, both] = viable;
      return items_.attribute(y) != items_.attribute(next) &&
             is_viable(y, std::min(both, space_.pairs(next, y)));
    };
    const Consequents& above = viable_[depth];
    if (std::none_of(above.begin(), above.end(), shares_enough)) return std::nullopt;
    const std::uint64_t count =
        intersect(rows(depth), items_.covered(next), items_.words(), rows(depth + 1));
    if (count == n_antecedent) return std::nullopt;
    viable_[depth + 1].clear();
    for (const auto& viable : above) {
      if (!shares_enough(viable)) continue;
      const Item y = viable.first;
      keep_if_viable(depth + 1, y,
                     static_cast<std::uint32_t>(
                         count_common(rows(depth + 1), items_.covered(y), items_.words())));
      ++found.evaluated;
      if (depth + 2U == length_.antecedent) ++found.counted;  // shorter ones had their turn before
    }
    return count;
  }

  void emit(std::size_t depth, std::uint64_t n_antecedent) {
    CountedRule counted;
    counted.rule = rule_;
    counted.rule.size = static_cast<std::uint8_t>(length_.antecedent);
    counted.n_antecedent = static_cast<std::uint32_t>(n_antecedent);
    bool hashed = false;
    for (const auto& [y, both] : viable_[depth]) {
      counted.rule.consequent = y;
      counted.n_both = both;
      if (scaled_leverage(counted, items_) < length_.threshold) continue;
      if (!std::exchange(hashed, true)) counted.coverage = hash_rows(rows(depth), items_.words());
      found.rules.push_back(counted);
    }
  }

  const WalkedSpace& space_;
  const Items& items_;
  const WalkedLength& length_;
  WalkUnits& units_;
  const std::stop_token& stop_;
  WalkProgress* const progress_;
  const std::uint64_t most_;
  std::uint64_t begun_ = 0;  // `evaluated` before what begins with the present item
  std::size_t unit_ = 0;     // depth of the item that was asked for
  double told_ = 0;          // of its antecedents
  std::vector<Item> way_;
  std::optional<std::uint64_t> rows_of_way_;
  ItemRule rule_;
  std::array<Item, most_comparisons> next_{}, end_{};  ///< [depth] of the loops
  AlignedWords rows_;                                  ///< [depth][words] of the antecedent so far
  std::vector<Consequents> viable_;                    ///< [depth]
};

/// The order in which the walk meets ranges: the deeper ones first.
bool is_before(const WalkRange& a, const WalkRange& b) {
  const auto path = [](const WalkRange& range) {
    std::vector<Item> items = range.way;
    items.push_back(range.first);
    return items;
  };
  return path(a) < path(b);
}

void add_left(std::vector<WalkRange>& all, WalkRange range) {
  if (!all.empty() && all.back().way == range.way && all.back().end == range.first) {
    all.back().end = range.end;
  } else {
    all.push_back(std::move(range));
  }
}

}  // namespace

LabelPairCounts::LabelPairCounts(const Items& items, ThreadPool& pool, Communicator& ranks)
    : size_(items.size()), counts_(items.size() * items.size()) {
  const auto rank = static_cast<std::size_t>(ranks.rank());
  const auto of_ranks = static_cast<std::size_t>(ranks.size());
  const std::size_t own = rank < size_ ? (size_ - rank - 1) / of_ranks + 1 : 0;
  pool.wait(pool.submit(own, [&](std::size_t i, unsigned) {
    const std::size_t a = rank + i * of_ranks;
    const std::uint64_t* const rows = items.covered(static_cast<Item>(a));
    for (std::size_t b = a; b < size_; ++b) {
      const auto both = static_cast<std::uint32_t>(
          count_common(rows, items.covered(static_cast<Item>(b)), items.words()));
      counts_[a * size_ + b] = counts_[b * size_ + a] = both;
    }
  }));
  if (of_ranks == 1) return;
  ByteWriter mine;
  for (std::size_t a = rank; a < size_; a += of_ranks) {
    mine.put_all(std::span<const std::uint32_t>(counts_).subspan(a * size_ + a, size_ - a));
  }
  const std::vector<Bytes> of_all = ranks.all_gather(mine.bytes());
  for (std::size_t r = 0; r < of_ranks; ++r) {
    ByteReader in(of_all[r]);
    for (std::size_t a = r; a < size_; a += of_ranks) {
      const auto both = in.get_all<std::uint32_t>();
      for (std::size_t b = a; b < size_; ++b) {
        counts_[a * size_ + b] = counts_[b * size_ + a] = both[b - a];
      }
    }
  }
}

WalkedSpace::WalkedSpace(const Items& space, const RuleLimits& of_rules, ThreadPool& pool,
                         Communicator& ranks)
    : items(space),
      limits(of_rules),
      pairs(space, pool, ranks),
      consequents(atl::consequents(space, of_rules)) {}

Bytes to_bytes(const WalkRange& range) {
  ByteWriter out;
  out.put_all(std::span<const Item>(range.way));
  out.put(range.first);
  out.put(range.end);
  return std::move(out).take();
}

WalkRange walk_range_from(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  WalkRange range;
  range.way = in.get_all<Item>();
  range.first = in.get<Item>();
  range.end = in.get<Item>();
  in.expect_end();
  return range;
}

AntecedentCounts::AntecedentCounts(const Items& items, std::size_t antecedent)
    : antecedent_(antecedent),
      next_attribute_(items.size()),
      after_(antecedent + 1, std::vector<double>(items.size() + 1, 0)) {
  for (std::size_t i = items.size(); i-- > 0;) {
    const bool last = i + 1 == items.size() || items.attribute(static_cast<Item>(i)) !=
                                                   items.attribute(static_cast<Item>(i + 1));
    next_attribute_[i] = last ? static_cast<Item>(i + 1) : next_attribute_[i + 1];
  }
  after_[0].assign(items.size() + 1, 1);
  for (std::size_t size = 1; size <= antecedent; ++size) {
    for (std::size_t i = items.size(); i-- > 0;) {
      after_[size][i] = after_[size][i + 1] + after_[size - 1][next_attribute_[i]];
    }
  }
}

double AntecedentCounts::of(std::size_t depth, Item last, Item first, Item end) const {
  if (depth > 0) first = std::max(first, next_attribute_[last]);
  const std::vector<double>& sets = after_[antecedent_ - depth];
  return first < end ? sets[first] - sets[end] : 0;
}

double AntecedentCounts::of(const WalkRange& range) const {
  return of(range.way.size(), range.way.empty() ? Item{0} : range.way.back(), range.first,
            range.end);
}

Item AntecedentCounts::cut(const WalkRange& range, double share) const {
  const double part = share * of(range);
  Item at = static_cast<Item>(range.first + 1U);
  while (at + 1U < range.end && of({range.way, range.first, at}) < part) ++at;
  return at;
}

WalkFindings walk(const WalkedSpace& space, const WalkedLength& length,
                  const std::vector<WalkRange>& ranges, ThreadPool& pool,
                  const std::stop_token& stop, WalkProgress* progress, std::uint64_t most) {
  WalkUnits units(ranges);
  std::vector<std::unique_ptr<Walk>> walks(pool.threads());
  const auto work = [&](std::unique_ptr<Walk>& own) {
    units.join();
    while (const auto unit = units.take()) {
      if (!own) own = std::make_unique<Walk>(space, length, units, stop, progress, most);
      if (stop.stop_requested()) {
        own->found.left.push_back(*unit);
      } else {
        own->run(unit->way, unit->first);
      }
    }
  };
  pool.wait(pool.submit(walks.size(), [&](std::size_t, unsigned worker) {
    try {
      work(walks[worker]);
    } catch (...) {
      units.give_up();
      throw;
    }
  }));
  WalkFindings all;
  std::vector<WalkRange> left;
  for (const auto& walk : walks) {
    if (!walk) continue;
    WalkFindings& found = walk->found;
    all.rules.insert(all.rules.end(), found.rules.begin(), found.rules.end());
    found.rules = {};
    left.insert(left.end(), found.left.begin(), found.left.end());
    all.evaluated += found.evaluated;
    all.counted += found.counted;
    all.complete = all.complete && found.complete;
  }
  std::ranges::sort(left, is_before);
  for (WalkRange& range : left) add_left(all.left, std::move(range));
  return all;
}

}  // namespace atl
