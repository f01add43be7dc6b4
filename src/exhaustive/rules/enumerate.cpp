// Length by length, and for each length depth first over antecedents as rows in common (Zaki 2000,
// vertical mining), with bounds on the leverage of all rules below (Webb 1995, OPUS; Wrobel 1997).
//
// Bound. Let X' contain X, of n rows let c satisfy X and Y, and n_Y satisfy Y. X' and Y hold on
// c' <= c rows, X' on at least c', so n^2 leverage(X' => Y) <= c' n - c' n_Y <= c (n - n_Y). A
// consequent whose bound is below the threshold is given up for all antecedents below.
//
// Threshold. That of one length is the k-th best leverage of the classes that are kept among all
// shorter rules. Those stay kept whatever comes later (RuleClasses), so the final k-th best is at
// least as good, and nothing below the threshold is among the k best or as good as the k-th. Nor is
// it needed to judge those that are: only rules of at least their leverage decide on them. For the
// first length it is 1, that is, any leverage above 0.
//
// Antecedents of the same rows. If an item leaves the rows of X as they are, a rule with it covers
// what the shorter one without it does, for every antecedent below, and never stands for its class.
#include "src/exhaustive/rules/enumerate.hpp"

#include <algorithm>
#include <utility>

#include "src/data/aligned_words.hpp"
#include "src/exhaustive/rules/row_sets.hpp"
#include "src/exhaustive/rules/rule_classes.hpp"
#include "src/exhaustive/rules/space.hpp"

namespace atl {

namespace {

using Consequents = std::vector<std::pair<Item, std::uint32_t>>;  // with the rows it shares with X

// Rows that two items have in common.
class PairCounts {
 public:
  PairCounts(const Items& items, ThreadPool& pool)
      : size_(items.size()), counts_(items.size() * items.size()) {
    pool.wait(pool.submit(size_, [&](std::size_t a, unsigned) {
      const std::uint64_t* const rows = items.covered(static_cast<Item>(a));
      for (std::size_t b = 0; b < size_; ++b) {
        counts_[a * size_ + b] = static_cast<std::uint32_t>(
            count_common(rows, items.covered(static_cast<Item>(b)), items.words()));
      }
    }));
  }
  std::uint32_t operator()(Item a, Item b) const noexcept { return counts_[a * size_ + b]; }

 private:
  std::size_t size_;
  std::vector<std::uint32_t> counts_;
};

// The rules of one length whose antecedent begins with one item.
class Walk {
 public:
  Walk(const Items& items, const PairCounts& pairs, const RuleLimits& limits,
       std::uint8_t antecedent_size, std::int64_t threshold, std::uint64_t most)
      : items_(items),
        pairs_(pairs),
        limits_(limits),
        target_(antecedent_size),
        threshold_(threshold),
        most_(most),
        rows_(target_ * items.words()),
        viable_(target_) {}

  void run(Item first, const std::vector<Item>& consequents) {
    if (items_.count(first) == items_.rows()) return;
    std::copy_n(items_.covered(first), items_.words(), rows_.data());
    for (const Item y : consequents) {
      if (items_.attribute(y) == items_.attribute(first)) continue;
      keep_if_viable(0, y, pairs_(first, y));
    }
    descend(0, first, items_.count(first));
  }

  std::vector<CountedRule> found;
  std::uint64_t evaluated = 0;  // shorter rules on the way, too; beyond `most`: it was cut short
  std::uint64_t counted = 0;    // of the length asked for

 private:
  std::uint64_t* rows(std::size_t depth) { return rows_.data() + depth * items_.words(); }

  bool is_viable(Item y, std::uint32_t both) const {
    return both >= limits_.min_count &&
           static_cast<std::int64_t>(both) *
                   static_cast<std::int64_t>(items_.rows() - items_.count(y)) >=
               threshold_;
  }

  void keep_if_viable(std::size_t depth, Item y, std::uint32_t both) {
    if (is_viable(y, both)) viable_[depth].emplace_back(y, both);
  }

  // The antecedent ends with `last` at `depth`; its rows and viable consequents are there.
  void descend(std::size_t depth, Item last, std::uint64_t n_antecedent) {
    rule_.items[depth] = last;
    if (depth + 1U == target_) {
      emit(depth, n_antecedent);
    } else if (!viable_[depth].empty()) {
      for (std::size_t next = last + 1U; next < items_.size() && evaluated <= most_; ++next) {
        extend(depth, static_cast<Item>(next), n_antecedent);
      }
    }
    viable_[depth].clear();
  }

  void extend(std::size_t depth, Item next, std::uint64_t n_antecedent) {
    if (items_.attribute(next) == items_.attribute(rule_.items[depth])) return;
    const auto shares_enough = [&](const std::pair<Item, std::uint32_t>& viable) {
      const auto [y, both] = viable;
      return items_.attribute(y) != items_.attribute(next) &&
             is_viable(y, std::min(both, pairs_(next, y)));
    };
    const Consequents& above = viable_[depth];
    if (std::none_of(above.begin(), above.end(), shares_enough)) return;
    const std::uint64_t count =
        intersect(rows(depth), items_.covered(next), items_.words(), rows(depth + 1));
    if (count == n_antecedent) return;
    for (const auto& viable : above) {
      if (!shares_enough(viable)) continue;
      const Item y = viable.first;
      keep_if_viable(depth + 1, y,
                     static_cast<std::uint32_t>(
                         count_common(rows(depth + 1), items_.covered(y), items_.words())));
      ++evaluated;
      if (depth + 2U == target_) ++counted;  // shorter ones were counted when it was their turn
    }
    descend(depth + 1, next, count);
  }

  void emit(std::size_t depth, std::uint64_t n_antecedent) {
    CountedRule counted;
    counted.rule = rule_;
    counted.rule.size = target_;
    counted.n_antecedent = static_cast<std::uint32_t>(n_antecedent);
    bool hashed = false;
    for (const auto& [y, both] : viable_[depth]) {
      counted.rule.consequent = y;
      counted.n_both = both;
      if (scaled_leverage(counted, items_) < threshold_) continue;
      if (!std::exchange(hashed, true)) counted.coverage = hash_rows(rows(depth), items_.words());
      found.push_back(counted);
    }
  }

  const Items& items_;
  const PairCounts& pairs_;
  const RuleLimits& limits_;
  const std::uint8_t target_;
  const std::int64_t threshold_;
  const std::uint64_t most_;
  ItemRule rule_;
  AlignedWords rows_;                ///< [depth][words] of the antecedent so far
  std::vector<Consequents> viable_;  ///< [depth]
};

}  // namespace

std::vector<Item> consequents(const Items& items, const RuleLimits& limits) {
  std::vector<Item> allowed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto item = static_cast<Item>(i);
    const double share = static_cast<double>(items.count(item)) / static_cast<double>(items.rows());
    if (share <= limits.max_consequent && items.count(item) < items.rows()) allowed.push_back(item);
  }
  return allowed;
}

MinedRules enumerate_rules(const Items& items, const RuleLimits& limits, std::size_t top,
                           ThreadPool& pool, std::uint64_t most) {
  const PairCounts pairs(items, pool);
  const std::vector<Item> allowed = consequents(items, limits);
  RuleClasses classes(items);
  MinedRules mined;
  std::uint64_t of_length = items.size() * items.size();
  mined.counted = space_size(items.by_attribute(), 2);  // all pairs
  for (std::uint32_t length = 2; length <= limits.max_length; ++length) {
    const std::int64_t threshold = classes.threshold(top);
    std::vector<std::vector<CountedRule>> found(items.size());
    std::vector<std::uint64_t> evaluated(items.size(), 0);
    std::vector<std::uint64_t> counted(items.size(), 0);
    pool.wait(pool.submit(items.size(), [&](std::size_t first, unsigned) {
      Walk walk(items, pairs, limits, static_cast<std::uint8_t>(length - 1), threshold, most);
      walk.run(static_cast<Item>(first), allowed);
      found[first] = std::move(walk.found);
      evaluated[first] = walk.evaluated;
      counted[first] = walk.counted;
    }));
    std::vector<CountedRule> all;
    for (std::size_t first = 0; first < items.size(); ++first) {
      all.insert(all.end(), found[first].begin(), found[first].end());
      found[first] = {};
      of_length += evaluated[first];
      mined.counted += counted[first];
      mined.complete = mined.complete && evaluated[first] <= most;
    }
    classes.add(std::move(all));
    mined.evaluated += of_length;
    mined.by_length.push_back(std::exchange(of_length, 0));
    if (!mined.complete) break;
  }
  mined.rules = classes.best(top);
  return mined;
}

}  // namespace atl
