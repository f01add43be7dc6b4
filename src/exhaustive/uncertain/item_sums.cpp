#include "src/exhaustive/uncertain/item_sums.hpp"

#include <algorithm>
#include <cstddef>

#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl {
namespace {

/// Sums of an item over fewer transactions than a word has room for.
struct PartSums {
  std::uint64_t mean = 0, variance = 0;
  std::uint32_t certain = 0;
};

void add_transactions(const TransactionSet& transactions, std::uint32_t first, std::uint32_t end,
                      std::vector<PartSums>& sums) {
  const std::vector<double>& probabilities = transactions.probabilities();
  for (std::uint32_t t = first; t < end; ++t) {
    const double p = probabilities.empty() ? 1 : probabilities[t];
    const std::uint64_t mean = FixedSum::fixed(p), variance = FixedSum::fixed(p * (1 - p));
    for (const std::uint32_t item : transactions.transaction(t)) {
      PartSums& sum = sums[item];
      if (p == 1) {
        ++sum.certain;
      } else {
        sum.mean += mean;
        sum.variance += variance;
      }
    }
  }
}

}  // namespace

std::vector<CoverSums> sum_items(const TransactionSet& transactions, ThreadPool& pool) {
  const std::uint32_t items = transactions.item_count();
  std::vector<std::vector<CoverSums>> of_workers(pool.threads());
  std::vector<std::vector<PartSums>> parts(pool.threads());
  const std::uint32_t share = (transactions.size() + pool.threads() - 1) / pool.threads();
  pool.wait(pool.submit(pool.threads(), [&](std::size_t k, unsigned) {
    std::vector<CoverSums>& sums = of_workers[k];
    sums.resize(items);
    const auto begin = std::min<std::uint64_t>(transactions.size(), k * std::uint64_t{share});
    const auto end = std::min<std::uint64_t>(transactions.size(), begin + share);
    for (std::uint64_t at = begin; at < end; at += FixedSum::terms_of_word) {
      parts[k].assign(items, {});
      add_transactions(transactions, static_cast<std::uint32_t>(at),
                       static_cast<std::uint32_t>(std::min(end, at + FixedSum::terms_of_word)),
                       parts[k]);
      for (std::uint32_t item = 0; item < items; ++item) {
        sums[item].certain += parts[k][item].certain;
        sums[item].mean.add(parts[k][item].mean);
        sums[item].variance.add(parts[k][item].variance);
      }
    }
  }));
  std::vector<CoverSums> sums(items);
  for (std::uint32_t item = 0; item < items; ++item) {
    sums[item].rows = transactions.supports()[item];
    for (const std::vector<CoverSums>& part : of_workers) {
      sums[item].certain += part[item].certain;
      sums[item].mean.add(part[item].mean);
      sums[item].variance.add(part[item].variance);
    }
  }
  return sums;
}

std::vector<std::uint32_t> likely_items(const TransactionSet& transactions,
                                        const UncertainLimits& limits, ThreadPool& pool) {
  const std::vector<CoverSums> sums = sum_items(transactions, pool);
  std::vector<std::uint32_t> items = ranked_items(transactions, limits.min_count);
  std::erase_if(items,
                [&](std::uint32_t item) { return prove(sums[item], limits) == Proof::infrequent; });
  return items;
}

}  // namespace atl
