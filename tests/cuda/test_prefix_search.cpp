#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/host/itemset_input.hpp"
#include "cuda/itemsets/set_table.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "tests/cuda/host_block.hpp"
#include "tests/cuda/host_prefixes.hpp"
#include "tests/cuda/prefix_cases.hpp"

namespace atl::test {
namespace {

using cuda::HostBlock;
using cuda::LaneValues;

TEST(PrefixRows, AreTurned) {
  RandomStream draw({1, 0, 0, 0, Purpose::test});
  LaneValues rows;
  for (std::uint32_t& row : rows.at) row = static_cast<std::uint32_t>(draw.next_u64());
  const LaneValues columns = cuda::transposed<HostBlock>(rows);
  for (std::uint32_t r = 0; r < 32; ++r) {
    for (std::uint32_t c = 0; c < 32; ++c) {
      ASSERT_EQ(columns.at[c] >> r & 1, rows.at[r] >> c & 1) << r << ' ' << c;
    }
  }
}

TEST(PrefixRows, HavePlacesOfBits) {
  const LaneValues places = cuda::place_of_bit<HostBlock>(0x80010104);
  EXPECT_EQ(places.at[0], 2U);
  EXPECT_EQ(places.at[1], 8U);
  EXPECT_EQ(places.at[2], 16U);
  EXPECT_EQ(places.at[3], 31U);
}

TEST(PrefixRows, AreWeighed) {
  LaneValues weights;
  for (std::uint32_t r = 0; r < 32; ++r) weights.at[r] = r * r;
  LaneValues rows;
  rows.at[5] = 0x80000003;
  EXPECT_EQ(cuda::weighed<HostBlock>(rows, weights, 10).at[5], 31U * 31 + 1);
}

/// A table of few sets beside sums worked out one by one.
template <bool Narrow>
void expect_counts(std::uint32_t items) {
  using Table = cuda::SetTable<HostBlock, Narrow>;
  RandomStream draw({items, 0, 0, 0, Purpose::test});
  std::vector<std::uint32_t> weight(std::size_t{1} << items, 0);
  cuda::PrefixShared shared{};
  const std::uint32_t unit = Narrow ? 1 : 500;
  for (int k = 0; k < 40; ++k) {
    // Most items, so that large sets are frequent, too.
    const auto set =
        static_cast<std::uint32_t>((draw.next_u64() | draw.next_u64()) % weight.size());
    const auto more = static_cast<std::uint32_t>(draw.below(700) + 1) * unit;
    if (set == 0) continue;
    weight[set] += more;
    Table::add(shared.table, set, more, HostBlock::lane() == 7U);
  }
  const std::uint32_t min_count = 1500 * unit;
  std::vector<std::uint32_t> expected(16, 0);
  for (std::uint32_t set = 1; set < weight.size(); ++set) {
    std::uint32_t support = 0;
    for (std::uint32_t other = 1; other < weight.size(); ++other) {
      if ((set & other) == set) support += weight[other];
    }
    if (support >= min_count) ++expected[static_cast<std::size_t>(std::popcount(set))];
  }
  HostBlock block;
  Table::count(block, shared, items, min_count);
  EXPECT_EQ(std::vector<std::uint32_t>(std::begin(shared.bins), std::end(shared.bins)), expected)
      << items;
  for (const std::uint32_t word : shared.table) ASSERT_EQ(word, 0U);
}

TEST(SetTable, CountsFrequentSets) {
  for (std::uint32_t items = 1; items <= 13; ++items) expect_counts<true>(items);
  for (std::uint32_t items = 1; items <= 12; ++items) expect_counts<false>(items);
}

TEST(SetTable, CountsAllSets) {
  cuda::PrefixShared shared{};
  HostBlock block;
  cuda::SetTable<HostBlock, true>::add(shared.table, 0x1FFF, 1, HostBlock::lane() == 0U);
  cuda::SetTable<HostBlock, true>::count(block, shared, 13, 1);
  std::uint32_t ways = 1;
  for (std::uint32_t k = 1; k <= 13; ++k) {
    ways = ways * (14 - k) / k;
    EXPECT_EQ(shared.bins[k], ways);
  }
}

TEST(PrefixSearch, EqualsTheCores) {
  ThreadPool pool(1);
  for (const PrefixCase& c : prefix_cases()) {
    SCOPED_TRACE(c.name);
    const auto expected = count_itemsets(c.transactions, c.limits, pool);
    if (c.transactions.size() < c.limits.min_count) continue;
    for (const std::uint32_t node_items : {13U, 16U, cuda::most_node_items}) {
      EXPECT_EQ(cuda::search_on_host(c.transactions, c.limits, node_items).sets, expected)
          << node_items;
    }
  }
}

TEST(PrefixSearch, IsTheSumOfItsParts) {
  ThreadPool pool(1);
  for (const PrefixCase& c : prefix_cases()) {
    SCOPED_TRACE(c.name);
    if (c.transactions.size() < c.limits.min_count) continue;
    const cuda::ItemsetInput input = cuda::itemset_input(c.transactions, c.limits.min_count);
    const std::uint32_t middle = input.items / 3;
    ItemsetTally sum;
    sum.add(input.everywhere, 0, 1);  // the empty set, which begins none of them
    for (const auto& [first, end] : {std::pair{0U, middle}, std::pair{middle, input.items}}) {
      if (first == end) continue;
      auto part = cuda::search_on_host(input, c.limits, 16, input.item_tasks(first, end));
      sum.add(part.tally);
    }
    EXPECT_EQ(asked_lengths(sum.by_length(), c.limits),
              count_itemsets(c.transactions, c.limits, pool));
  }
}

/// What the cases are for.
TEST(PrefixSearch, GoesEachWay) {
  const auto searched = [](const std::string& name, std::uint32_t node_items) {
    for (const PrefixCase& c : prefix_cases()) {
      if (c.name == name) return cuda::search_on_host(c.transactions, c.limits, node_items);
    }
    throw std::runtime_error(name);
  };
  EXPECT_EQ(searched("few items", 16).tasks, 1U);
  EXPECT_EQ(searched("dense", cuda::most_node_items).tasks, 1U);  // depth first alone
  EXPECT_GT(searched("dense", cuda::most_node_items).work.nodes, 20U);
  for (const char* const name : {"dense", "many items", "twins", "heavy"}) {
    const cuda::HostSearch search = searched(name, 16);
    EXPECT_GT(search.tasks, 4U) << name;
    EXPECT_GT(search.work.nodes, search.tasks) << name;
  }
}

TEST(PrefixPlan, FitsTheMemory) {
  cuda::ItemsetInput input;
  input.rows = 100'000;
  input.items = 130;
  input.words.resize(std::size_t{5} * input.rows);
  input.weights.resize(input.rows);
  const cuda::PrefixPlan large = cuda::plan_prefixes(input, 600, std::uint64_t{70} << 30);
  EXPECT_EQ(large.blocks, 600U);
  EXPECT_EQ(large.node_items, 20U);
  const std::uint64_t small_memory = std::uint64_t{1} << 30;
  const cuda::PrefixPlan small = cuda::plan_prefixes(input, 600, small_memory);
  EXPECT_LT(small.node_items, 20U);
  EXPECT_GT(small.blocks, 0U);
  EXPECT_LT(4 * (small.blocks * cuda::prefix_block_words(input.rows, small.node_items) +
                 (small.tasks + small.new_tasks) * small.task_words),
            small_memory);
  EXPECT_GE(small.new_tasks, small.tasks * cuda::prefix_new_tasks(input.items));
  EXPECT_THROW(cuda::plan_prefixes(input, 600, 1000), BackendUnavailable);

  const PrefixCase many = prefix_cases()[5];
  const cuda::ItemsetInput few = cuda::itemset_input(many.transactions, many.limits.min_count);
  const cuda::PrefixPlan least = cuda::plan_prefixes(few, 528, 1 << 20);
  EXPECT_GT(least.tasks, 0U);
  EXPECT_LT(least.tally_copies, large.tally_copies);
}

}  // namespace
}  // namespace atl::test
