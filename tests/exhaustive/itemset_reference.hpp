// Frequent itemsets by an obvious search, to compare with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/core/random.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"

namespace atl::test {

using ItemLists = std::vector<std::vector<std::uint32_t>>;
/// Sets as they were listed, each with its support.
using SetList = std::vector<std::pair<std::vector<std::uint32_t>, std::uint32_t>>;
using Supports = std::map<std::vector<std::uint32_t>, std::uint32_t>;  ///< by ascending items

/// Calls use(items, support) with each set of a block. Items are in the order in which a sink would
/// get them.
template <typename Use>
void for_each_set(const ItemsetBlock& block, const Use& use) {
  for (std::uint32_t m = 0; m < 256; ++m) {
    if ((block.frequent[m / 64] >> m % 64 & 1) == 0) continue;
    std::vector<std::uint32_t> items;
    for (std::size_t i = block.items.size(); i-- > 0;) {
      if ((m >> i & 1) != 0) items.push_back(block.items[i]);
    }
    use(items, block.supports[m]);
  }
}

/// Keeps the sets in the order in which they come.
class KeptSets : public ItemsetSink {
 public:
  void add(std::uint32_t item) override { prefix_.push_back(item); }
  void remove() override { prefix_.pop_back(); }
  void found(std::uint32_t support) override { sets.emplace_back(prefix_, support); }
  void found(const ItemsetBlock& block) override {
    for_each_set(block, [&](const std::vector<std::uint32_t>& items, std::uint32_t support) {
      std::vector<std::uint32_t> set = prefix_;
      set.insert(set.end(), items.begin(), items.end());
      sets.emplace_back(std::move(set), support);
    });
  }

  SetList sets;

 private:
  std::vector<std::uint32_t> prefix_;
};

inline SetList listed_sets(const TransactionSet& transactions, const ItemsetLimits& limits) {
  KeptSets kept;
  list_itemsets(transactions, limits, kept);
  return std::move(kept.sets);
}

inline TransactionSet transactions_of(std::uint32_t items, const ItemLists& lists) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < items; ++i) names.push_back(std::to_string(i));
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> entries;
  for (const auto& list : lists) {
    entries.insert(entries.end(), list.begin(), list.end());
    starts.push_back(entries.size());
  }
  return {std::move(names), std::move(starts), std::move(entries)};
}

/// @param chance  [items] of an item to be in a transaction
inline ItemLists random_lists(RandomStream& draw, std::size_t count,
                              const std::vector<double>& chance) {
  ItemLists lists(count);
  for (auto& list : lists) {
    for (std::uint32_t i = 0; i < chance.size(); ++i) {
      if (draw.chance(chance[i])) list.push_back(i);
    }
  }
  return lists;
}

inline TransactionSet random_set(std::uint64_t seed, std::size_t count,
                                 const std::vector<double>& chance) {
  RandomStream draw({seed, 0, 0, 0, Purpose::test});
  return transactions_of(static_cast<std::uint32_t>(chance.size()),
                         random_lists(draw, count, chance));
}

/// Sizes at which the miner goes over from one form of the transactions to another.
struct Shape {
  std::size_t transactions;
  std::vector<double> chance;
  std::uint64_t min_count;
};

inline std::vector<double> falling(std::size_t items, double first, double factor) {
  std::vector<double> chance;
  for (std::size_t i = 0; i < items; ++i, first *= factor) chance.push_back(first);
  return chance;
}

inline std::vector<Shape> shapes() {
  return {
      {3000, falling(20, 0.95, 0.96), 1200},       // tables
      {5000, falling(24, 0.97, 0.98), 3000},       // equal rows joined
      {600, falling(80, 0.4, 0.97), 25},           // columns of more than 64 items
      {4000, falling(300, 0.05, 0.995), 4},        // lists
      {400, falling(900, 0.02, 0.999), 2},         // lists of fewer rows than items
      {64, falling(60, 0.3, 0.97), 3},             // one word of rows
      {70000, falling(12, 0.995, 0.995), 66000},   // supports beyond 16 bits
      {70000, falling(16, 0.99, 0.9), 2000},       // both
      {2000, std::vector<double>(10, 1.0), 2000},  // perfect extensions alone
  };
}

/// All sets of `min_count` transactions or more, except the empty one.
inline Supports frequent_sets(const TransactionSet& transactions, std::uint64_t min_count) {
  std::vector<std::vector<std::uint32_t>> rows(transactions.item_count());
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    for (const std::uint32_t item : transactions.transaction(t)) rows[item].push_back(t);
  }
  Supports found;
  std::vector<std::uint32_t> set;
  const auto grow = [&](const auto& self, std::uint32_t first,
                        const std::vector<std::uint32_t>* common) -> void {
    for (std::uint32_t item = first; item < rows.size(); ++item) {
      std::vector<std::uint32_t> both;
      if (common == nullptr) {
        both = rows[item];
      } else {
        std::ranges::set_intersection(*common, rows[item], std::back_inserter(both));
      }
      if (both.size() < min_count) continue;
      set.push_back(item);
      found[set] = static_cast<std::uint32_t>(both.size());
      self(self, item + 1, &both);
      set.pop_back();
    }
  };
  grow(grow, 0, nullptr);
  return found;
}

/// Of all frequent sets those of a family: of supersets with one more item none has the same
/// support, or none is frequent.
inline Supports only(ItemsetFamily family, const Supports& sets) {
  if (family == ItemsetFamily::all) return sets;
  Supports left = sets;
  for (const auto& [set, support] : sets) {
    for (const std::uint32_t item : set) {
      std::vector<std::uint32_t> smaller;
      std::ranges::copy_if(set, std::back_inserter(smaller),
                           [&](std::uint32_t other) { return other != item; });
      const auto found = left.find(smaller);
      if (found != left.end() && (family == ItemsetFamily::maximal || found->second == support)) {
        left.erase(found);
      }
    }
  }
  return left;
}

/// Those of the lengths that are asked for.
inline Supports of_asked_lengths(Supports sets, const ItemsetLimits& limits) {
  std::erase_if(sets, [&](const auto& set) {
    return set.first.size() < limits.min_length || set.first.size() > limits.max_length;
  });
  return sets;
}

/// [longest length + 1] numbers of sets.
inline std::vector<std::uint64_t> numbers_by_length(const Supports& sets) {
  std::vector<std::uint64_t> numbers;
  for (const auto& [set, support] : sets) {
    numbers.resize(std::max(numbers.size(), set.size() + 1));
    ++numbers[set.size()];
  }
  return numbers;
}

}  // namespace atl::test
