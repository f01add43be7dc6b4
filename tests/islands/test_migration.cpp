#include <mutex>
#include <numeric>

#include <gtest/gtest.h>

#include "islands/migration.hpp"
#include "islands/population.hpp"
#include "tests/islands/planted_table.hpp"
#include "tests/islands/thread_communicator.hpp"

namespace atl::test {

namespace {

class MigrationTest : public testing::Test {
 protected:
  MigrationTest() {
    for (std::uint32_t i = 0; i < islands; ++i) {
      populations_.push_back(derive_population(grammar_, 1, i, 8));
      for (Individual& individual : populations_.back()) individual.counts.table = {9, 4, 3, 2};
    }
  }

  static constexpr std::uint32_t islands = 5;
  Dataset dataset_ = planted_table(200);
  BoundGrammar grammar_ = association_grammar(dataset_);
  std::vector<std::vector<Individual>> populations_;
};

// Every island receives from two others: order matters here.
std::vector<std::uint32_t> sources_of(std::uint32_t island, std::uint32_t count) {
  std::vector<std::uint32_t> all{(island + count - 1) % count, (island + count - 2) % count};
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_F(MigrationTest, DeliversEverythingInOrderOnAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 3, 5}) {
    const Placement placement{islands, ranks};
    std::mutex mutex;
    std::size_t delivered = 0;
    run_ranks(ranks, [&](Communicator& communicator) {
      std::vector<Emigrants> local;
      for (std::uint32_t i = 0; i < islands; ++i) {
        if (placement.rank_of(i) != communicator.rank()) continue;
        const auto& all = populations_[i];
        Emigrants emigrants;
        emigrants.island = i;
        emigrants.destinations = {(i + 1) % islands, (i + 2) % islands};
        std::sort(emigrants.destinations.begin(), emigrants.destinations.end());
        emigrants.slots.resize(3 + i % 2);
        std::iota(emigrants.slots.begin(), emigrants.slots.end(), 10 * i);
        emigrants.individuals.assign(all.begin(), all.begin() + 3 + i % 2);
        local.push_back(std::move(emigrants));
      }
      const Arrivals arrivals = migrate(local, grammar_, placement, communicator);
      const std::lock_guard lock(mutex);
      for (std::uint32_t i = 0; i < islands; ++i) {
        const auto came = arrivals.at(i);
        if (placement.rank_of(i) != communicator.rank()) {
          EXPECT_TRUE(came.empty());
          continue;
        }
        std::size_t next = 0;
        for (const std::uint32_t from : sources_of(i, islands)) {
          for (std::size_t k = 0; k < 3 + from % 2; ++k) {
            ASSERT_LT(next, came.size());
            const Individual& sent = populations_[from][k];
            EXPECT_EQ(came[next].from, from);
            EXPECT_EQ(came[next].slot, 10 * from + k);
            EXPECT_EQ(came[next].individual->derivation, sent.derivation);
            EXPECT_EQ(came[next].individual->rule, sent.rule);
            EXPECT_EQ(came[next].individual->key, sent.key);
            EXPECT_EQ(came[next].individual->counts, sent.counts);
            ++next;
            ++delivered;
          }
        }
        EXPECT_EQ(next, came.size());
      }
    });
    EXPECT_EQ(delivered, 2U * (3 + 4 + 3 + 4 + 3)) << ranks;
  }
}

}  // namespace atl::test
