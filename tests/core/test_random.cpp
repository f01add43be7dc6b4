#include <vector>

#include <gtest/gtest.h>

#include "src/core/random.hpp"

namespace atl {
namespace {

// Philox4x32-10 of counter {0, 0, 0, 0} and key {0, 0}: 6627e8d5 e169c58d bc57ac4c 9b00dbd8, the
// first known answer published with Random123.
TEST(RandomStream, GivesPhiloxKnownAnswer) {
  RandomStream stream({0, 0, 0, 0, static_cast<Purpose>(0)});
  EXPECT_EQ(stream.next_u64(), 0xe169c58d6627e8d5U);
  EXPECT_EQ(stream.next_u64(), 0x9b00dbd8bc57ac4cU);
}

// Philox4x32-10 computed by an independent implementation (Python, from the paper), which also
// gives the published known answers. Pins how a position is packed into key and counter: a change
// would break every stored experiment.
TEST(RandomStream, PacksThePositionIntoTheCounterForGood) {
  RandomStream stream({0x0123456789abcdefU, 5, 7, 11, Purpose::mutate});
  const std::vector<std::uint64_t> drawn = {stream.next_u64(), stream.next_u64(),
                                            stream.next_u64()};
  EXPECT_EQ(drawn, (std::vector<std::uint64_t>{0xf610cca9f486be1bU, 0xcc0701191008a242U,
                                               0x86ccb9935a8f2358U}));
}

TEST(RandomStream, EveryPartOfThePositionChangesTheDraws) {
  const DrawKey base{1, 2, 3, 4, Purpose::select};
  const std::uint64_t first = RandomStream(base).next_u64();
  EXPECT_EQ(RandomStream(base).next_u64(), first);
  for (const DrawKey& other :
       {DrawKey{2, 2, 3, 4, Purpose::select}, DrawKey{1ULL << 32 | 1, 2, 3, 4, Purpose::select},
        DrawKey{1, 3, 3, 4, Purpose::select}, DrawKey{1, 2, 4, 4, Purpose::select},
        DrawKey{1, 2, 3, 5, Purpose::select}, DrawKey{1, 2, 3, 4, Purpose::mutate}}) {
    EXPECT_NE(RandomStream(other).next_u64(), first);
  }
}

TEST(RandomStream, DrawsBelowABoundEvenly) {
  RandomStream stream({42, 0, 0, 0, Purpose::test});
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70000; ++i) ++counts.at(stream.below(7));
  // Binomial(70000, 1/7): standard deviation 92.6; six of them either way.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 556);
  EXPECT_EQ(stream.below(1), 0U);
  const std::uint64_t huge = 0xC000000000000000U;  // rejects a third of the draws
  for (int i = 0; i < 1000; ++i) EXPECT_LT(stream.below(huge), huge);
}

TEST(RandomStream, DrawsDoublesInTheUnitInterval) {
  RandomStream stream({42, 0, 0, 1, Purpose::test});
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = stream.next_double();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.006);  // six standard deviations of 0.00091
}

}  // namespace
}  // namespace atl
