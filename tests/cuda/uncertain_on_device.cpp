// Sums and tails of uncertain transactions on a GPU beside the reference.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/uncertain/device_support_meter.hpp"
#include "src/exhaustive/uncertain/tails.hpp"
#include "tests/cuda/device.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {
namespace {

/// How probabilities are drawn.
enum class Chances { any, all_certain, some_certain, extreme };

TransactionSet drawn_uncertain(std::uint64_t seed, std::size_t count,
                               const std::vector<double>& chance, Chances how) {
  TransactionSet transactions = random_set(seed, count, chance);
  RandomStream draw({seed, 1, 0, 0, Purpose::test});
  std::vector<double> probabilities;
  for (std::size_t t = 0; t < count; ++t) {
    double p = 1 - draw.next_double();
    if (how == Chances::all_certain || (how == Chances::some_certain && draw.chance(0.4))) p = 1;
    if (how == Chances::extreme && draw.chance(0.8)) p = draw.chance(0.5) ? 1e-12 : 1 - 1e-12;
    probabilities.push_back(p);
  }
  return std::move(transactions).with_probabilities(std::move(probabilities));
}

UncertainColumns columns_of(const TransactionSet& transactions) {
  std::vector<std::uint32_t> items(transactions.item_count());
  std::iota(items.begin(), items.end(), 0U);
  return {transactions, std::move(items)};
}

/// Some sets of a length; runs of them have all items but the last in common.
RankedSets some_sets(std::uint32_t length, std::uint32_t items, std::size_t most) {
  RankedSets sets;
  sets.length = length;
  RandomStream draw({length, 2, items, 0, Purpose::test});
  for (std::size_t run = 1; sets.size() < most; ++run) {
    std::vector<std::uint32_t> prefix;
    for (std::uint32_t rank = items; rank-- > 0;) {
      if (draw.below(rank + 1) < length - prefix.size()) prefix.push_back(rank);
    }
    const std::uint32_t last = prefix.back();
    prefix.pop_back();
    for (std::uint32_t r = 0; r < std::min<std::size_t>(last + 1, run % 13 + 1); ++r) {
      sets.ranks.insert(sets.ranks.end(), prefix.begin(), prefix.end());
      sets.ranks.push_back(last - r);
    }
  }
  return sets;
}

RankedSets one_of(const RankedSets& sets, std::size_t s) {
  return {sets.length, {sets[s].begin(), sets[s].end()}};
}

void expect_reference_sums(const TransactionSet& transactions, std::size_t most) {
  const UncertainColumns columns = columns_of(transactions);
  const auto meter = on_device([&] { return cuda::make_device_support_meter(columns); });
  if (meter == nullptr) return;
  const auto reference = make_reference_support_meter(columns);
  const auto items = static_cast<std::uint32_t>(transactions.item_count());
  for (const std::uint32_t length : {1U, 2U, 3U, 7U, 12U}) {
    if (length > items) break;
    const RankedSets sets = some_sets(length, items, most);
    std::vector<CoverSums> found(sets.size()), expected(sets.size());
    meter->sum(sets, found);
    reference->sum(sets, expected);
    for (std::size_t s = 0; s < sets.size(); ++s)
      ASSERT_EQ(found[s], expected[s]) << "set " << s << " of " << length << " items";
  }
}

TEST(UncertainOnDevice, SumsAreThoseOfTheReference) {
  for (const Chances how : {Chances::any, Chances::all_certain, Chances::some_certain}) {
    for (const std::size_t count : {1U, 63U, 513U, 5000U}) {
      expect_reference_sums(drawn_uncertain(count, count, falling(14, 1.0, 0.95), how), 40);
      expect_reference_sums(drawn_uncertain(count, count, falling(20, 0.3, 0.9), how), 40);
      expect_reference_sums(drawn_uncertain(count, count, std::vector<double>(13, 1.0), how), 20);
    }
  }
}

TEST(UncertainOnDevice, SumsOfManyTransactionsAreThoseOfTheReference) {
  expect_reference_sums(drawn_uncertain(7, 300'000, falling(12, 1.0, 0.9), Chances::some_certain),
                        9);
  expect_reference_sums(drawn_uncertain(8, 300'000, {0.3, 0.05, 0.03, 0.001}, Chances::any), 9);
}

/// The tail, one transaction after the other, of counts that are not next to impossible.
double long_tail(const std::vector<double>& probabilities, std::uint32_t least) {
  constexpr long double negligible = 1e-30L;
  std::vector<long double> exist{1};
  std::size_t low = 0;
  for (const double p : probabilities) {
    const long double q = 1 - static_cast<long double>(p);
    exist.push_back(0);
    for (std::size_t k = exist.size() - 1; k > low; --k) exist[k] = exist[k] * q + exist[k - 1] * p;
    exist[low] *= q;
    while (exist[low] < negligible) exist[low++] = 0;
    while (exist.back() < negligible) exist.pop_back();
  }
  long double tail = 0;
  for (std::size_t k = least; k < exist.size(); ++k) tail += exist[k];
  return static_cast<double>(tail);
}

/// Each set with some least numbers: the first, the last, and around the mean.
struct Tails {
  RankedSets sets;
  std::vector<std::uint32_t> least;
  std::vector<std::vector<double>> probabilities;
};
Tails tails_of(const UncertainColumns& columns, std::uint32_t length, std::size_t most) {
  const RankedSets sets = some_sets(length, columns.bitmaps.items(), most);
  Tails tails;
  tails.sets.length = length;
  std::vector<double> probabilities;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    find_probabilities(columns, sets[s], probabilities);
    if (probabilities.empty()) continue;
    const auto rows = static_cast<std::uint32_t>(probabilities.size());
    const auto mean = static_cast<std::uint32_t>(
        std::accumulate(probabilities.begin(), probabilities.end(), 0.0));
    for (const std::uint32_t least : {1U, rows, mean, mean + 1, mean + 1 + mean / 20}) {
      tails.sets.ranks.insert(tails.sets.ranks.end(), sets[s].begin(), sets[s].end());
      tails.least.push_back(std::clamp(least, 1U, rows));
      tails.probabilities.push_back(probabilities);
    }
  }
  return tails;
}

template <typename Expected>
void expect_tails(const TransactionSet& transactions, std::uint32_t length, std::size_t most,
                  double error, const Expected& expected) {
  const UncertainColumns columns = columns_of(transactions);
  const auto meter = on_device([&] { return cuda::make_device_support_meter(columns); });
  if (meter == nullptr) return;
  const Tails wanted = tails_of(columns, length, most);
  std::vector<double> found(wanted.least.size(), -1);
  meter->find_tails(wanted.sets, wanted.least, found);
  for (std::size_t s = 0; s < found.size(); ++s) {
    EXPECT_NEAR(found[s], expected(wanted.probabilities[s], wanted.least[s]), error)
        << wanted.least[s] << " of " << wanted.probabilities[s].size() << " rows";
    std::vector<double> alone(1, -1);
    meter->find_tails(one_of(wanted.sets, s), std::span(wanted.least).subspan(s, 1), alone);
    EXPECT_EQ(alone[0], found[s]) << "beside others";
  }
}

TEST(UncertainOnDevice, TailsAreThoseOfTheReference) {
  for (const Chances how : {Chances::any, Chances::some_certain, Chances::extreme}) {
    for (const std::size_t count : {1U, 2U, 16U, 17U, 33U, 511U, 1985U, 1986U, 2048U, 5000U}) {
      const TransactionSet full = drawn_uncertain(count, count, std::vector<double>(3, 1.0), how);
      expect_tails(full, 2, 1, 1e-12, reference_tail);
      expect_tails(drawn_uncertain(count + 1, count, falling(6, 0.95, 0.8), how), 2, 5, 1e-12,
                   reference_tail);
    }
    expect_tails(drawn_uncertain(3, 5000, falling(8, 0.3, 0.5), how), 1, 8, 1e-12, reference_tail);
    expect_tails(drawn_uncertain(4, 5000, falling(14, 1.0, 0.99), how), 12, 4, 1e-12,
                 reference_tail);
  }
}

TEST(UncertainOnDevice, TailsOfManyTransactionsAreThoseOfLongNumbers) {
  expect_tails(drawn_uncertain(5, 50'000, {1.0, 1.0, 0.9}, Chances::any), 3, 1, 1e-11, long_tail);
  expect_tails(drawn_uncertain(6, 50'000, {1.0, 1.0, 0.1}, Chances::extreme), 2, 2, 1e-11,
               long_tail);
}

TEST(UncertainOnDevice, TailsDoNotDependOnTheMemory) {
  const UncertainColumns columns =
      columns_of(drawn_uncertain(10, 20'000, falling(9, 0.95, 0.8), Chances::some_certain));
  const std::uint64_t held = columns.bitmaps.bits.size() * 8 + columns.probabilities.size() * 24;
  const Tails wanted = tails_of(columns, 2, 20);
  const auto meter = on_device([&] { return cuda::make_device_support_meter(columns); });
  if (meter == nullptr) return;
  std::vector<double> expected(wanted.least.size(), -1);
  meter->find_tails(wanted.sets, wanted.least, expected);
  for (const std::uint64_t left : {std::uint64_t{0}, std::uint64_t{100'000}}) {
    std::vector<double> found(wanted.least.size(), -1);
    cuda::make_device_support_meter(columns, {0, held + left})
        ->find_tails(wanted.sets, wanted.least, found);
    EXPECT_EQ(found, expected) << left << " bytes beside the columns";
  }
}

TEST(UncertainOnDevice, NeedsMemoryForTheColumns) {
  const UncertainColumns columns =
      columns_of(drawn_uncertain(9, 3000, falling(8, 0.9, 0.9), Chances::any));
  if (on_device([&] { return cuda::make_device_support_meter(columns); }) == nullptr) return;
  EXPECT_THROW((void)cuda::make_device_support_meter(columns, {0, 1000}), BackendUnavailable);
}

}  // namespace
}  // namespace atl::test
