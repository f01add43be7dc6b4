#include <vector>

#include <gtest/gtest.h>

#include "src/work/rank_place.hpp"

namespace atl::test {
namespace {

RankPlace rank(const std::string& machine, const std::string& cpus) {
  return {"host-" + machine, machine, *parse_cpus(cpus)};
}

TEST(SuitableThreads, AreOneForEachCpu) {
  EXPECT_EQ(suitable_threads(rank("a", "0-7"), std::vector{rank("a", "0-7")}), 8U);
  const std::vector apart = {rank("a", "0-3"), rank("a", "4-9"), rank("b", "0-3")};
  EXPECT_EQ(suitable_threads(apart[0], apart), 4U);
  EXPECT_EQ(suitable_threads(apart[1], apart), 6U);
  EXPECT_EQ(suitable_threads(apart[2], apart), 4U);
}

TEST(SuitableThreads, AreAPartOfWhatRanksShare) {
  const std::vector two = {rank("a", "0-31"), rank("a", "0-31"), rank("b", "0-31")};
  EXPECT_EQ(suitable_threads(two[0], two), 16U);
  EXPECT_EQ(suitable_threads(two[1], two), 16U);
  EXPECT_EQ(suitable_threads(two[2], two), 32U);
  const std::vector three = {rank("a", "0-7"), rank("a", "0-7"), rank("a", "0-7")};
  EXPECT_EQ(suitable_threads(three[0], three), 2U);
  const std::vector crowd(5, rank("a", "3"));
  EXPECT_EQ(suitable_threads(crowd[0], crowd), 1U);
}

TEST(SuitableThreads, AreAtLeastOneWhereTheSystemDoesNotTell) {
  const std::vector unknown(2, rank("a", ""));
  EXPECT_GE(suitable_threads(unknown[0], unknown), 1U);
}

}  // namespace
}  // namespace atl::test
