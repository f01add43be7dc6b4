#include <gtest/gtest.h>

#include "islands/topology.hpp"
#include "src/core/error.hpp"

namespace atl::test {

TEST(Ring, ReceivesFromTheIslandBefore) {
  const Sources sources = topology_named("ring");
  EXPECT_EQ(sources(0, 4), std::vector<std::uint32_t>{3});
  EXPECT_EQ(sources(3, 4), std::vector<std::uint32_t>{2});
  EXPECT_EQ(sources(0, 2), std::vector<std::uint32_t>{1});
}

TEST(Ring, OfOneIslandSendsNothing) {
  EXPECT_TRUE(topology_named("ring")(0, 1).empty());
}

TEST(Topology, UnknownNameIsAUsageError) {
  try {
    topology_named("star");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "unknown topology 'star': expected ring");
  }
}

}  // namespace atl::test
