#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "src/exhaustive/uncertain/item_sums.hpp"
#include "src/exhaustive/uncertain/support_meter.hpp"
#include "tests/exhaustive/uncertain/uncertain_reference.hpp"

namespace atl::test {
namespace {

TransactionSet any_transactions(std::uint64_t seed, std::size_t count, std::vector<double> chance) {
  RandomStream draw({seed, 0, 0, 0, Purpose::test});
  const ItemLists lists = random_lists(draw, count, chance);
  return transactions_of(static_cast<std::uint32_t>(chance.size()), lists)
      .with_probabilities(random_probabilities(draw, count));
}

std::vector<std::uint32_t> all_items(const TransactionSet& transactions) {
  std::vector<std::uint32_t> items(transactions.item_count());
  std::iota(items.begin(), items.end(), 0U);
  return items;
}

TEST(FixedSum, DependsOnNoOrder) {
  RandomStream draw({1, 0, 0, 0, Purpose::test});
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 100000; ++i) values.push_back(FixedSum::fixed(1 - draw.next_double()));
  FixedSum one_by_one, together, parts;
  for (const std::uint64_t value : values) one_by_one.add(value);
  std::reverse(values.begin(), values.end());
  for (std::size_t at = 0; at < values.size(); at += FixedSum::terms_of_word) {
    const std::size_t end = std::min<std::size_t>(values.size(), at + FixedSum::terms_of_word);
    const auto begin = values.begin();
    const std::uint64_t sum =
        std::accumulate(begin + static_cast<std::ptrdiff_t>(at),
                        begin + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
    together.add(sum);
    FixedSum part;
    part.add(sum);
    parts.add(part);
  }
  EXPECT_EQ(one_by_one, together);
  EXPECT_EQ(one_by_one, parts);
  EXPECT_NEAR(one_by_one.value(), 50000, 500);
  FixedSum most;
  for (int i = 0; i < 1000; ++i) most.add(FixedSum::terms_of_word * FixedSum::fixed(1));
  EXPECT_EQ(most.value(), 1000.0 * FixedSum::terms_of_word);
}

TEST(SupportMeter, OfCoresIsTheReference) {
  ThreadPool pool(3);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::size_t count = seed % 5 == 0 ? 3000 : 40 * seed;
    const TransactionSet transactions =
        any_transactions(seed, count, {0.9, 0.5, 0.5, 0.2, 0.02, 0.001});
    const UncertainColumns columns(transactions, all_items(transactions), &pool);
    const auto reference = make_reference_support_meter(columns);
    const auto cores = make_cpu_support_meter(columns, pool);
    const RankedSets sets{3, {5, 1, 0, 4, 3, 2, 2, 1, 0, 3, 1, 0, 3, 2, 1}};
    std::vector<CoverSums> expected(sets.size()), found(sets.size());
    reference->sum(sets, expected);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      cores->sum(sets, found);
      EXPECT_EQ(found, expected);
    }
    hwy::SetSupportedTargetsForTest(0);
    RankedSets asked{3, {}};
    std::vector<std::uint32_t> least;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const auto cover = cover_of(transactions, {sets[s].begin(), sets[s].end()});
      EXPECT_EQ(expected[s].rows, cover.size());
      EXPECT_NEAR(expected[s].expected_support(), std::accumulate(cover.begin(), cover.end(), 0.0),
                  1e-9);
      if (expected[s].uncertain() == 0) continue;
      asked.ranks.insert(asked.ranks.end(), sets[s].begin(), sets[s].end());
      least.push_back(1 + expected[s].uncertain() / 2);
    }
    std::vector<double> tails(least.size()), reference_tails(least.size());
    cores->find_tails(asked, least, tails);
    reference->find_tails(asked, least, reference_tails);
    for (std::size_t s = 0; s < tails.size(); ++s) EXPECT_NEAR(tails[s], reference_tails[s], 1e-12);
  }
}

TEST(SumItems, IsTheMetersOnAnyThreads) {
  const TransactionSet transactions = any_transactions(7, 70000, {0.5, 0.1, 0.0001});
  ThreadPool one(1), four(4);
  const UncertainColumns columns(transactions, all_items(transactions));
  std::vector<CoverSums> expected(3);
  make_reference_support_meter(columns)->sum({1, {0, 1, 2}}, expected);
  for (CoverSums& sums : expected) sums.cover = {};
  EXPECT_EQ(sum_items(transactions, one), expected);
  EXPECT_EQ(sum_items(transactions, four), expected);
}

CoverHash hash_of(std::uint64_t place, std::uint64_t word) {
  CoverHash hash;
  hash.add(place, word);
  return hash;
}

TEST(CoverHash, TellsCoversApart) {
  EXPECT_NE(hash_of(0, 1), hash_of(1, 1));
  EXPECT_NE(hash_of(0, 1), hash_of(0, 2));
  EXPECT_NE(hash_of(1, 1), hash_of(0, 2));
  EXPECT_EQ(hash_of(3, 0), CoverHash());
  CoverHash both = hash_of(0, 5);
  both.add(1, 7);
  both.subtract(0, 5);
  EXPECT_EQ(both, hash_of(1, 7));
}

}  // namespace
}  // namespace atl::test
