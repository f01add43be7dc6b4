#include <mutex>

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
struct TwoBefore {
  std::vector<std::uint32_t> sources(std::uint32_t island, std::uint32_t count) const {
    std::vector<std::uint32_t> all{(island + count - 1) % count, (island + count - 2) % count};
    std::sort(all.begin(), all.end());
    return all;
  }
};
static_assert(Topology<TwoBefore>);

}  // namespace

TEST_F(MigrationTest, DeliversEverythingInOrderOnAnyNumberOfRanks) {
  const Sources sources = [](std::uint32_t island, std::uint32_t count) {
    return TwoBefore{}.sources(island, count);
  };
  for (const int ranks : {1, 2, 3, 5}) {
    std::mutex mutex;
    std::size_t delivered = 0;
    run_ranks(ranks, [&](Communicator& communicator) {
      std::vector<Emigrants> local;
      for (std::uint32_t i = 0; i < islands; ++i) {
        if (rank_of(i, ranks) != communicator.rank()) continue;
        const auto& all = populations_[i];
        local.push_back({i, {all.begin(), all.begin() + 3 + i % 2}});
      }
      const auto arrived = migrate(sources, islands, local, grammar_, communicator);
      const std::lock_guard lock(mutex);
      std::size_t next = 0;
      for (const Emigrants& here : local) {
        for (const std::uint32_t from : sources(here.island, islands)) {
          ASSERT_LT(next, arrived.size());
          const Migration& migration = arrived[next++];
          EXPECT_EQ(migration.to, here.island);
          EXPECT_EQ(migration.from, from);
          ASSERT_EQ(migration.individuals.size(), 3 + from % 2);
          for (std::size_t i = 0; i < migration.individuals.size(); ++i) {
            const Individual& sent = populations_[from][i];
            EXPECT_EQ(migration.individuals[i].derivation, sent.derivation);
            EXPECT_EQ(migration.individuals[i].rule, sent.rule);
            EXPECT_EQ(migration.individuals[i].counts, sent.counts);
            ++delivered;
          }
        }
      }
      EXPECT_EQ(next, arrived.size());
    });
    EXPECT_EQ(delivered, 2U * (3 + 4 + 3 + 4 + 3)) << ranks;
  }
}

TEST_F(MigrationTest, ImmigrantsReplaceTheWorstAndAreNotDoubled) {
  auto population = populations_[0];
  const std::vector<Individual> immigrants{populations_[1][0], populations_[0][2],
                                           populations_[1][1], populations_[1][0]};
  immigrate(population, immigrants);
  ASSERT_EQ(population.size(), 8U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(population[i].rule, populations_[0][i].rule);
  EXPECT_EQ(population[6].rule, populations_[1][1].rule);
  EXPECT_EQ(population[7].rule, populations_[1][0].rule);
}

TEST_F(MigrationTest, MoreImmigrantsThanPlacesReplaceAll) {
  std::vector<Individual> population{populations_[0][0]};
  immigrate(population, {populations_[1][0], populations_[1][1]});
  ASSERT_EQ(population.size(), 1U);
  EXPECT_EQ(population[0].rule, populations_[1][0].rule);
}

}  // namespace atl::test
