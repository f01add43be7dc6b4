#include "src/exhaustive/itemset_rules/itemset_rules.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "src/core/error.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "src/exhaustive/levels/item_bitmaps.hpp"
#include "src/exhaustive/levels/row_blocks.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

/// Counts the transactions that have all items of a set, of one set after the other. It is fastest
/// where sets begin with the same items as the one before.
class ItemsetSupports {
 public:
  /// @param min_count  transactions that each item to come is in, at least
  ItemsetSupports(const TransactionSet& transactions, std::uint64_t min_count);

  /// @param set  items, not empty
  std::uint64_t of(std::span<const std::uint32_t> set);

 private:
  ItemBitmaps bitmaps_;
  std::vector<std::uint32_t> ranks_;  // [items of the transactions], set where an item is frequent
  PathRows rows_;
  std::vector<std::uint32_t> path_;
};

ItemsetSupports::ItemsetSupports(const TransactionSet& transactions, std::uint64_t min_count)
    : bitmaps_(transactions, min_count), ranks_(transactions.item_count()) {
  for (std::uint32_t rank = 0; rank < bitmaps_.items(); ++rank) ranks_[bitmaps_.names[rank]] = rank;
}

std::uint64_t ItemsetSupports::of(std::span<const std::uint32_t> set) {
  if (set.size() == 1) return bitmaps_.supports[ranks_[set.front()]];
  path_.clear();
  for (const std::uint32_t item : set.first(set.size() - 1)) path_.push_back(ranks_[item]);
  const std::uint64_t* const last = bitmaps_.column(ranks_[set.back()]);
  std::uint32_t count = 0;
  rows_.of(path_, bitmaps_).count_common(&last, 1, &count);
  return count;
}

using Places = std::vector<std::uint32_t>;  // in a set, ascending

/// Gives the support of a set of items.
using SupportOf = std::function<std::uint64_t(std::span<const std::uint32_t> set)>;

/// The rules of one set after the other.
class RuleMaker {
 public:
  /// All must outlive it.
  RuleMaker(const SupportOf& support_of, std::uint64_t transactions,
            const ItemsetRuleLimits& limits, const std::function<void(const ItemsetRule&)>& use)
      : support_of_(support_of), limits_(limits), use_(use) {
    table_.n = transactions;
  }

  void make(std::span<const std::uint32_t> set, std::uint32_t support) {
    set_ = set;
    table_.n_both = support;
    tries_.clear();
    for (std::uint32_t place = 0; place < set.size(); ++place) tries_.push_back({place});
    for (std::uint32_t length = 1;; ++length) {
      good_.clear();
      for (const Places& consequent : tries_) {
        if (is_rule(consequent)) good_.push_back(consequent);
      }
      if (length >= limits_.max_consequent || length + 1 >= set.size() || good_.empty()) return;
      join();
    }
  }

 private:
  /// Makes the rule with this consequent. @return is it confident enough?
  bool is_rule(const Places& consequent) {
    antecedent_.clear();
    consequent_.clear();
    auto next = consequent.begin();
    for (std::uint32_t place = 0; place < set_.size(); ++place) {
      if (next != consequent.end() && *next == place) {
        consequent_.push_back(set_[place]);
        ++next;
      } else {
        antecedent_.push_back(set_[place]);
      }
    }
    table_.n_antecedent = support_of_(antecedent_);
    const double confidence =
        static_cast<double>(table_.n_both) / static_cast<double>(table_.n_antecedent);
    if (confidence < limits_.min_confidence) return false;
    table_.n_consequent = support_of_(consequent_);
    use_({antecedent_, consequent_, table_});
    return true;
  }

  /// Consequents of one item more, all of whose parts made rules: with more items in the
  /// consequent the antecedent is in as many transactions or more, and the rule as confident or
  /// less.
  void join() {
    tries_.clear();
    for (std::size_t i = 0; i < good_.size(); ++i) {
      for (std::size_t j = i + 1; j < good_.size(); ++j) {
        if (!std::equal(good_[i].begin(), std::prev(good_[i].end()), good_[j].begin())) break;
        Places joined = good_[i];
        joined.push_back(good_[j].back());
        if (parts_are_good(joined)) tries_.push_back(std::move(joined));
      }
    }
  }
  bool parts_are_good(const Places& joined) {
    for (std::size_t left_out = 0; left_out + 2 < joined.size(); ++left_out) {
      part_ = joined;
      part_.erase(part_.begin() + static_cast<std::ptrdiff_t>(left_out));
      if (!std::binary_search(good_.begin(), good_.end(), part_)) return false;
    }
    return true;
  }

  const SupportOf& support_of_;
  const ItemsetRuleLimits& limits_;
  const std::function<void(const ItemsetRule&)>& use_;
  std::span<const std::uint32_t> set_;
  ContingencyTable table_;
  std::vector<std::uint32_t> antecedent_, consequent_;
  std::vector<Places> tries_, good_;  // consequents of one length, in lexicographic order
  Places part_;
};

/// Makes the rules of each set that it gets, one by one.
class RulesOfSets final : public ItemsetSink {
 public:
  explicit RulesOfSets(RuleMaker& maker) : maker_(maker) {}

  void add(std::uint32_t item) override { set_.push_back(item); }
  void remove() override { set_.pop_back(); }
  void found(std::uint32_t support) override { maker_.make(set_, support); }
  void found(const ItemsetBlock&) override { throw InternalError("closed sets in a block"); }

 private:
  RuleMaker& maker_;
  std::vector<std::uint32_t> set_;
};

std::uint32_t least_length(const ItemsetRuleLimits& limits) {
  return std::max<std::uint32_t>(limits.min_length, 2);
}

}  // namespace

ItemsetTree::ItemsetTree(std::uint32_t items, std::uint64_t sets) : first_(items, none) {
  item_.reserve(sets + 1);
  support_.reserve(sets + 1);
  end_.reserve(sets + 1);
}

void ItemsetTree::add(std::uint32_t item) {
  prefix_.push_back(item);
}

void ItemsetTree::remove() {
  prefix_.pop_back();
  if (path_.size() > prefix_.size()) path_.resize(prefix_.size());
}

void ItemsetTree::found(std::uint32_t support) {
  path_.resize(prefix_.size() - 1);
  append(prefix_.back(), support);
}

void ItemsetTree::found(const ItemsetBlock& block) {
  const std::size_t length = prefix_.size();
  std::uint32_t before = 0;  // the block's last set
  for (std::uint32_t m = 1; m < 1U << block.items.size(); ++m) {
    if ((block.frequent[m / 64] >> m % 64 & 1) == 0) continue;
    // Its parent lacks its lowest bit. Of the path to the last set what both have in common stays.
    const std::uint32_t parent = m & (m - 1);
    while ((before & ~parent) != 0) {
      before &= before - 1;
      path_.pop_back();
    }
    assert(before == parent && path_.size() >= length);
    append(block.items[static_cast<std::size_t>(__builtin_ctz(m))], block.supports[m]);
    before = m;
  }
  path_.resize(length);
}

void ItemsetTree::append(std::uint32_t item, std::uint32_t support) {
  assert(item_.size() <= most_sets);
  const auto node = static_cast<Node>(item_.size());
  item_.push_back(item);
  support_.push_back(support);
  end_.push_back(node + 1);
  if (path_.empty()) first_[item] = node;
  for (const Node above : path_) end_[above] = node + 1;
  path_.push_back(node);
}

ItemsetTree::Node ItemsetTree::child(Node parent, std::uint32_t item) const noexcept {
  for (Node at = parent + 1; at < end_[parent]; at = end_[at]) {
    if (item_[at] == item) return at;
  }
  return none;
}

ItemsetTree::Node ItemsetTree::find(std::span<const std::uint32_t> set) const noexcept {
  Node at = none;
  for (const std::uint32_t item : set) {
    at = at == none ? first_[item] : child(at, item);
    if (at == none) return none;
  }
  return at;
}

bool BestItemsetRules::is_better(const Kept& a, const Kept& b) noexcept {
  const auto order = by_measure(a.value, b.value);
  return order != 0 ? order < 0 : a.number < b.number;
}

void BestItemsetRules::take(const ItemsetRule& rule) {
  const double value = evaluate(by_, rule.table);
  const std::uint64_t number = came_++;
  const bool full = kept_.size() == most_;
  // The former of equal ones is better, so a new one has to have more.
  if (full && !(by_measure(value, kept_.front().value) < 0)) return;
  if (full) {
    std::pop_heap(kept_.begin(), kept_.end(), is_better);
    kept_.pop_back();
  }
  kept_.push_back({value,
                   number,
                   {rule.antecedent.begin(), rule.antecedent.end()},
                   {rule.consequent.begin(), rule.consequent.end()},
                   rule.table});
  std::push_heap(kept_.begin(), kept_.end(), is_better);
}

void BestItemsetRules::hand_over(const std::function<void(const ItemsetRule&)>& use) {
  std::sort(kept_.begin(), kept_.end(), is_better);
  for (const Kept& kept : std::exchange(kept_, {})) {
    use({kept.antecedent, kept.consequent, kept.table});
  }
}

void for_each_rule(const ItemsetTree& sets, std::uint64_t transactions,
                   const ItemsetRuleLimits& limits,
                   const std::function<void(const ItemsetRule&)>& use) {
  const SupportOf support_of = [&](std::span<const std::uint32_t> set) {
    return sets.support(sets.find(set));
  };
  RuleMaker maker(support_of, transactions, limits, use);
  std::vector<std::uint32_t> set;
  std::vector<ItemsetTree::Node> ends;  // of the path to the set
  for (ItemsetTree::Node node = 1; node <= sets.nodes(); ++node) {
    while (!ends.empty() && node >= ends.back()) {
      ends.pop_back();
      set.pop_back();
    }
    set.push_back(sets.item(node));
    ends.push_back(sets.end_of(node));
    if (set.size() >= least_length(limits)) maker.make(set, sets.support(node));
  }
}

void for_each_closed_rule(const TransactionSet& transactions, const ItemsetLimits& sets,
                          const ItemsetRuleLimits& limits,
                          const std::function<void(const ItemsetRule&)>& use) {
  ItemsetSupports supports(transactions, sets.min_count);
  const SupportOf support_of = [&](std::span<const std::uint32_t> set) { return supports.of(set); };
  RuleMaker maker(support_of, transactions.size(), limits, use);
  RulesOfSets rules(maker);
  ItemsetLimits closed = sets;
  closed.family = ItemsetFamily::closed;
  closed.min_length = least_length(limits);
  list_itemsets(transactions, closed, rules);
}

}  // namespace atl
