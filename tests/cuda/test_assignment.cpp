#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "cuda/host/assignment.hpp"

namespace atl::cuda {
namespace {

using Seen = std::vector<std::vector<std::string>>;

std::vector<int> devices_of(const Seen& seen) {
  std::vector<int> devices;
  for (const Assignment& assignment : assign_devices(seen)) devices.push_back(assignment.device);
  return devices;
}

std::vector<int> sharing_of(const Seen& seen) {
  std::vector<int> sharing;
  for (const Assignment& assignment : assign_devices(seen)) sharing.push_back(assignment.sharing);
  return sharing;
}

using Numbers = std::vector<int>;

TEST(AssignDevices, OneGpuForEachRankOfAHost) {
  const Seen seen = {{"A", "B"}, {"A", "B"}, {"C", "D"}, {"C", "D"}};  // two hosts
  EXPECT_EQ(devices_of(seen), (Numbers{0, 1, 0, 1}));
  EXPECT_EQ(sharing_of(seen), (Numbers{1, 1, 1, 1}));
}

TEST(AssignDevices, RanksDealtToHostsInTurn) {
  const Seen seen = {{"A", "B"}, {"C", "D"}, {"A", "B"}, {"C", "D"}};
  EXPECT_EQ(devices_of(seen), (Numbers{0, 0, 1, 1}));
}

TEST(AssignDevices, WhereEachRankSeesItsOwn) {
  const Seen seen = {{"A"}, {"B"}, {"C"}};
  EXPECT_EQ(devices_of(seen), (Numbers{0, 0, 0}));
  EXPECT_EQ(sharing_of(seen), (Numbers{1, 1, 1}));
}

TEST(AssignDevices, MoreRanksThanGpusShareEvenly) {
  const Seen seen(5, {"A", "B"});
  EXPECT_EQ(devices_of(seen), (Numbers{0, 1, 0, 1, 0}));
  EXPECT_EQ(sharing_of(seen), (Numbers{3, 2, 3, 2, 3}));
}

TEST(AssignDevices, OtherOrdersOfTheSameGpus) {
  const Seen seen = {{"A", "B"}, {"B", "A"}};
  EXPECT_EQ(devices_of(seen), (Numbers{0, 0}));
  EXPECT_EQ(sharing_of(seen), (Numbers{1, 1}));
}

TEST(AssignDevices, WhoSeesLessGoesFirst) {
  const Seen seen = {{"A", "B"}, {"A"}};
  EXPECT_EQ(devices_of(seen), (Numbers{1, 0}));
}

TEST(AssignDevices, WhoSeesNoneGetsNone) {
  const Seen seen = {{}, {"A"}, {}};
  EXPECT_EQ(devices_of(seen), (Numbers{-1, 0, -1}));
  EXPECT_EQ(sharing_of(seen), (Numbers{0, 1, 0}));
  EXPECT_TRUE(assign_devices({}).empty());
}

TEST(AssignDevices, SpreadsEvenlyWhereAllSeeTheSame) {
  EXPECT_TRUE(rc::check([] {
    const int ranks = *rc::gen::inRange(1, 40);
    const int gpus = *rc::gen::inRange(1, 9);
    std::vector<std::string> uuids;
    for (int gpu = 0; gpu < gpus; ++gpu) uuids.push_back(std::to_string(gpu));
    const auto assignments = assign_devices(Seen(static_cast<std::size_t>(ranks), uuids));
    for (int rank = 0; rank < ranks; ++rank) {
      const Assignment& assignment = assignments[static_cast<std::size_t>(rank)];
      RC_ASSERT(assignment.device == rank % gpus);
      RC_ASSERT(assignment.sharing == (ranks - assignment.device + gpus - 1) / gpus);
    }
  }));
}

}  // namespace
}  // namespace atl::cuda
