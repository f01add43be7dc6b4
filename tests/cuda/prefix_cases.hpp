// Transactions that take the search on a device each of its ways.
#pragma once

#include <string>
#include <vector>

#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {

struct PrefixCase {
  std::string name;
  TransactionSet transactions;
  ItemsetLimits limits;
};

/// Each of a list `times` times, and a few of them once more.
inline ItemLists repeated(const ItemLists& lists, std::size_t times) {
  ItemLists all;
  for (std::size_t t = 0; t < times; ++t) all.insert(all.end(), lists.begin(), lists.end());
  all.insert(all.end(), lists.begin(),
             lists.begin() + static_cast<std::ptrdiff_t>(lists.size() / 3));
  return all;
}

/// Each item beside a twin, and two items that all transactions have.
inline TransactionSet with_twins(std::size_t items, const ItemLists& lists) {
  ItemLists all;
  for (const auto& list : lists) {
    auto& twins = all.emplace_back();
    for (const std::uint32_t item : list) {
      twins.push_back(2 * item);
      twins.push_back(2 * item + 1);
    }
    const auto next = static_cast<std::uint32_t>(2 * items);
    twins.push_back(next);
    twins.push_back(next + 1);
  }
  return transactions_of(static_cast<std::uint32_t>(2 * items + 2), all);
}

inline std::vector<PrefixCase> prefix_cases() {
  const auto random = [](std::uint64_t seed, std::size_t rows, const std::vector<double>& chance) {
    RandomStream draw({seed, 0, 0, 0, Purpose::test});
    return random_lists(draw, rows, chance);
  };
  const auto set = [&](std::uint64_t seed, std::size_t rows, const std::vector<double>& chance) {
    return transactions_of(static_cast<std::uint32_t>(chance.size()), random(seed, rows, chance));
  };
  std::vector<PrefixCase> cases;
  const auto dense = falling(20, 0.9, 0.96);
  cases.push_back({"dense", set(1, 400, dense), {.min_count = 20}});
  cases.push_back({"short", set(1, 400, dense), {.min_count = 20, .max_length = 4}});
  cases.push_back({"single", set(1, 400, dense), {.min_count = 20, .max_length = 1}});
  cases.push_back({"long", set(1, 400, dense), {.min_count = 20, .min_length = 9}});
  cases.push_back({"few items", set(2, 300, falling(6, 0.8, 0.85)), {.min_count = 1}});
  cases.push_back({"many items", set(3, 600, falling(100, 0.7, 0.974)), {.min_count = 100}});
  cases.push_back({"sparse", set(4, 500, falling(300, 0.1, 0.992)), {.min_count = 6}});
  cases.push_back({"everything", set(5, 40, falling(14, 0.7, 0.95)), {.min_count = 1}});
  cases.push_back({"nothing", set(6, 50, falling(10, 0.2, 0.93)), {.min_count = 50}});
  cases.push_back({"too few", set(6, 50, falling(10, 0.2, 0.93)), {.min_count = 51}});
  cases.push_back(
      {"twins", with_twins(11, random(7, 200, falling(11, 0.8, 0.94))), {.min_count = 9}});
  const ItemLists lists = random(8, 150, falling(17, 0.95, 0.973));
  cases.push_back({"heavy", transactions_of(17, repeated(lists, 300)), {.min_count = 9000}});
  cases.push_back(
      {"heavy and rare", transactions_of(17, repeated(lists, 300)), {.min_count = 33000}});
  return cases;
}

}  // namespace atl::test
