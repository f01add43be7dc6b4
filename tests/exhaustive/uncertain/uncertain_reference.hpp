// Probabilistic itemsets by possible worlds, to compare with.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "src/core/random.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {

/// P(at least `least` of them exist), world by world.
inline long double tail_of_worlds(std::span<const double> probabilities, std::uint64_t least) {
  long double sum = 0;
  for (std::uint32_t world = 0; world < 1U << probabilities.size(); ++world) {
    if (static_cast<std::uint64_t>(std::popcount(world)) < least) continue;
    long double probability = 1;
    for (std::size_t t = 0; t < probabilities.size(); ++t) {
      const long double p = probabilities[t];
      probability *= (world >> t & 1) != 0 ? p : 1 - p;
    }
    sum += probability;
  }
  return sum;
}

/// [k] P(k of them exist), k from 0 to `least`, at which all greater numbers are counted, too.
inline long double exact_tail(std::span<const double> probabilities, std::uint32_t least) {
  std::vector<long double> exist(least + 1, 0.0L);
  exist[0] = 1;
  for (const long double p : probabilities) {
    exist[least] += exist[least - 1] * p;
    for (std::uint32_t k = least - 1; k > 0; --k) exist[k] = exist[k] * (1 - p) + exist[k - 1] * p;
    exist[0] *= 1 - p;
  }
  return exist[least];
}

/// The probabilities of the transactions that have all items of a set.
inline std::vector<double> cover_of(const TransactionSet& transactions,
                                    const std::vector<std::uint32_t>& set) {
  std::vector<double> cover;
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    const auto items = transactions.transaction(t);
    const bool has_all = std::all_of(set.begin(), set.end(), [&](std::uint32_t item) {
      return std::binary_search(items.begin(), items.end(), item);
    });
    if (has_all) cover.push_back(transactions.probabilities()[t]);
  }
  return cover;
}

/// Probabilities of all kinds: some are 1, some are near 0 or 1, some are alike.
inline std::vector<double> random_probabilities(RandomStream& draw, std::size_t count) {
  std::vector<double> probabilities;
  const auto kind = draw.below(4);
  for (std::size_t t = 0; t < count; ++t) {
    double p = 1 - draw.next_double();
    if (kind == 1 && draw.chance(0.4)) p = 1;
    if (kind == 2) p = draw.chance(0.5) ? p * 1e-6 : 1 - p * 1e-6;
    if (kind == 3) p = 0.5;
    probabilities.push_back(p);
  }
  return probabilities;
}

}  // namespace atl::test
