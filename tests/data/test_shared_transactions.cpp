#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/transactions/shared_transactions.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"

namespace atl {
namespace {

using Likely = std::vector<double>;

TransactionSet three_baskets() {
  return {{"bread", "milk"}, {0, 1, 3, 3}, {0, 0, 1}};
}

TransactionSet likely_baskets(const Likely& probabilities) {
  return three_baskets().with_probabilities(probabilities);
}

void expect_shared(const TransactionSet& expected) {
  test::run_ranks(3, [&](Communicator& ranks) {
    std::optional<TransactionSet> of_root;
    if (ranks.rank() == 0) of_root = expected;
    const TransactionSet shared = share(std::move(of_root), ranks);
    EXPECT_EQ(shared.names(), expected.names());
    EXPECT_EQ(shared.supports(), expected.supports());
    ASSERT_EQ(shared.size(), expected.size());
    for (std::uint32_t t = 0; t < shared.size(); ++t) {
      EXPECT_EQ(
          std::vector<std::uint32_t>(shared.transaction(t).begin(), shared.transaction(t).end()),
          std::vector<std::uint32_t>(expected.transaction(t).begin(),
                                     expected.transaction(t).end()));
    }
    EXPECT_EQ(shared.probabilities(), expected.probabilities());
  });
}

TEST(SharedTransactions, AreOnAllRanksWithTheirProbabilities) {
  expect_shared(three_baskets());
  expect_shared(likely_baskets({1, 0.1, 5e-324}));
}

TEST(SharedTransactions, TakeTheBytesThatAreSent) {
  const std::uint64_t without = bytes_to_share(three_baskets());
  EXPECT_EQ(without, 2U * 8 + 5 + 4 + 3U * 8 + 3U * 4);
  EXPECT_EQ(bytes_to_share(likely_baskets({1, 1, 1})), without + 3U * 8);
}

TEST(SharedTransactions, AreToldApartByTheirHash) {
  // Checkpoints of former versions have it.
  EXPECT_EQ(to_hex(hash_of(three_baskets())), "3af10be0cdb1ca60054a141343045146");
  const Hash128 likely = hash_of(likely_baskets({1, 0.5, 1}));
  EXPECT_EQ(hash_of(likely_baskets({1, 0.5, 1})), likely);
  EXPECT_NE(hash_of(likely_baskets({1, 1, 0.5})), likely);
  EXPECT_NE(hash_of(three_baskets()), likely);
  EXPECT_EQ(hash_of(likely_baskets({1, 0.5, 1}).without_probabilities()), hash_of(three_baskets()));
}

}  // namespace
}  // namespace atl
