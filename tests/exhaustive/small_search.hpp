#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {

struct SmallSearch {
  TransactionSet transactions;
  ItemsetLimits limits;  ///< of all sets
};

/// Any few transactions of few items, with any limits. Within rc::check().
inline SmallSearch any_small_search() {
  const auto items = *rc::gen::inRange<std::size_t>(1, 14);
  const auto count = *rc::gen::inRange<std::size_t>(1, 90);
  const auto percents = *rc::gen::container<std::vector<int>>(items, rc::gen::inRange(0, 101));
  std::vector<double> chance;
  for (const int percent : percents) chance.push_back(percent / 100.0);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  ItemsetLimits limits;
  limits.min_count = *rc::gen::inRange<std::uint64_t>(1, count + 1);
  limits.min_length = *rc::gen::inRange<std::uint32_t>(1, 4);
  limits.max_length = *rc::gen::inRange<std::uint32_t>(limits.min_length, 15);
  return {random_set(seed, count, chance), limits};
}

}  // namespace atl::test
