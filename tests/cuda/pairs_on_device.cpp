// Pairs counted on a GPU beside those that the cores count.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/pairs/pair_counter.hpp"
#include "src/exhaustive/pairs/batmaps.hpp"
#include "tests/cuda/device.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {
namespace {

constexpr PairForm forms[] = {PairForm::batmap, PairForm::bitmap, PairForm::product};

TransactionSet drawn(std::uint64_t seed, std::size_t transactions,
                     const std::vector<double>& chances) {
  RandomStream draw({seed, 0, 0, 0, Purpose::test});
  return transactions_of(static_cast<std::uint32_t>(chances.size()),
                         random_lists(draw, transactions, chances));
}

/// Rectangles of a few rows with some columns, from the first row that has any.
void expect_equal(PairForm form, const TransactionSet& transactions, std::uint32_t columns,
                  unsigned moves = batmap_moves) {
  ThreadPool pool(3);
  const PairRows rows(transactions, 1);
  columns = std::min(columns, rows.items());
  const auto counter =
      on_device([&] { return cuda::make_pair_counter(form, rows, columns, pool, {}, moves); });
  if (counter == nullptr) return;
  const auto reference = make_reference_pair_counter(rows);
  const std::uint32_t together = 100;
  const std::size_t rectangles = (rows.items() + together - 1) / together;
  pool.wait(pool.submit(rectangles, [&](std::size_t k, unsigned worker) {
    const auto first = static_cast<std::uint32_t>(k * together);
    const RankRange own{first, std::min(first + together, rows.items())};
    const RankRange others{k == 1 ? 7U : 0U, std::min(columns, own.end)};
    const std::size_t stride = others.size() + 5;
    std::vector<std::uint32_t> counts(own.size() * stride, 0), expected(own.size() * stride, 0);
    counter->count(own, others, counts.data(), stride, worker);
    reference->count(own, others, expected.data(), stride, worker);
    std::size_t different = 0;
    for (std::uint32_t r = 0; r < own.size(); ++r) {
      const std::uint32_t end = std::min(others.end, own.first + r);
      for (std::uint32_t c = 0; others.first + c < end; ++c) {
        different += counts[r * stride + c] != expected[r * stride + c] ? 1 : 0;
      }
    }
    EXPECT_EQ(different, 0U) << to_string(form) << ", rows from " << own.first;
  }));
}

TEST(PairsOnDevice, EqualTheReference) {
  for (const PairForm form : forms) {
    expect_equal(form, drawn(1, 300, falling(140, 0.9, 0.95)), 140);
    expect_equal(form, drawn(2, 2500, falling(333, 0.7, 0.98)), 333);
    expect_equal(form, drawn(3, 1025, falling(210, 1.0, 0.999)), 210);
    expect_equal(form, drawn(4, 1, falling(40, 1.0, 1.0)), 40);
  }
}

TEST(PairsOnDevice, HaveRowsThatAreNoColumns) {
  for (const PairForm form : forms) {
    expect_equal(form, drawn(5, 1100, falling(260, 0.6, 0.99)), 90);
  }
}

TEST(PairsOnDevice, CountElementsAside) {
  const auto full = drawn(6, 4000, std::vector<double>(120, 0.9));
  ThreadPool pool(1);
  ASSERT_GT(BatMaps(PairRows(full, 1), pool, 1).elements_aside(), 1000U);
  expect_equal(PairForm::batmap, full, 120, 1);
}

TEST(PairsOnDevice, AreRefusedWithoutMemoryForThem) {
  const auto some = drawn(7, 5000, falling(200, 0.5, 0.99));
  const PairRows rows(some, 1);
  ThreadPool pool(1);
  if (on_device([&] { return cuda::make_pair_counter(PairForm::product, rows, 1, pool); }) ==
      nullptr) {
    return;
  }
  for (const PairForm form : forms) {
    EXPECT_THROW((void)cuda::make_pair_counter(form, rows, rows.items(), pool, {0, 1000}),
                 BackendUnavailable);
  }
}

}  // namespace
}  // namespace atl::test
