// Frequent itemsets by an obvious search, to compare with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/core/random.hpp"
#include "src/data/transaction_set.hpp"

namespace atl::test {

using ItemLists = std::vector<std::vector<std::uint32_t>>;
using Supports = std::map<std::vector<std::uint32_t>, std::uint32_t>;  ///< by ascending items

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

}  // namespace atl::test
