#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "islands/migration.hpp"
#include "tests/islands/thread_communicator.hpp"

namespace atl::test {

namespace {

constexpr std::uint32_t islands = 5;

/// What nobody but islands can read.
std::shared_ptr<const Bytes> content_of(std::uint32_t island, std::uint32_t migrant) {
  return std::make_shared<const Bytes>(20 + island, static_cast<std::byte>(migrant));
}

// Every island receives from two others: order matters here.
std::vector<std::uint32_t> sources_of(std::uint32_t island, std::uint32_t count) {
  std::vector<std::uint32_t> all{(island + count - 1) % count, (island + count - 2) % count};
  std::sort(all.begin(), all.end());
  return all;
}

/// All migrants of each source, in the order of sources and slots, and no others.
void expect_all_of(const std::vector<std::uint32_t>& sources, std::span<const Migrant> came) {
  std::size_t next = 0;
  for (const std::uint32_t from : sources) {
    for (std::uint32_t k = 0; k < 3 + from % 2; ++k, ++next) {
      ASSERT_LT(next, came.size());
      EXPECT_EQ(came[next].from, from);
      EXPECT_EQ(came[next].slot, 10 * from + k);
      EXPECT_EQ(*came[next].content, *content_of(from, k));
    }
  }
  EXPECT_EQ(next, came.size());
}

}  // namespace

TEST(Migration, DeliversEverythingInOrderOnAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 3, 5}) {
    const Placement placement{islands, ranks};
    std::mutex mutex;
    std::size_t delivered = 0;
    run_ranks(ranks, [&](Communicator& communicator) {
      std::vector<Emigrants> local;
      for (std::uint32_t i = 0; i < islands; ++i) {
        if (placement.rank_of(i) != communicator.rank()) continue;
        Emigrants emigrants;
        emigrants.island = i;
        emigrants.destinations = {(i + 1) % islands, (i + 2) % islands};
        std::sort(emigrants.destinations.begin(), emigrants.destinations.end());
        for (std::uint32_t k = 0; k < 3 + i % 2; ++k) {
          emigrants.migrants.push_back({i, 10 * i + k, content_of(i, k)});
        }
        local.push_back(std::move(emigrants));
      }
      const Arrivals arrivals = migrate(local, placement, communicator);
      const std::lock_guard lock(mutex);
      for (std::uint32_t i = 0; i < islands; ++i) {
        const auto came = arrivals.at(i);
        if (placement.rank_of(i) != communicator.rank()) {
          EXPECT_TRUE(came.empty());
          continue;
        }
        expect_all_of(sources_of(i, islands), came);
        delivered += came.size();
      }
    });
    EXPECT_EQ(delivered, 2U * (3 + 4 + 3 + 4 + 3)) << ranks;
  }
}

}  // namespace atl::test
