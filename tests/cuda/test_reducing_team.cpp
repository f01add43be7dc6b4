#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/host/assignment.hpp"
#include "cuda/reduce/reducer.hpp"

namespace atl::cuda {
namespace {

using Members = std::vector<ReducingMember>;

TEST(ReducingTeam, NeedsAGpuForEachMember) {
  EXPECT_EQ(team_problem(Members{{"", "A"}, {"", "B"}, {"", "C"}}), "");
  EXPECT_EQ(team_problem(Members{{"", "A"}, {"", "B"}, {"", "A"}}),
            "ranks 0 and 2 of the team share a GPU, which NCCL does not allow");
}

TEST(ReducingTeam, SharesAGpuIfAllThatHaveItAgree) {
  EXPECT_EQ(team_problem(Members{{"", "A", true}, {"", "A", true}}), "");
  EXPECT_EQ(team_problem(Members{{"", "A", true}, {"", "B", false}, {"", "A", true}}), "");
  EXPECT_NE(team_problem(Members{{"", "A", true}, {"", "A", false}}), "");
}

TEST(ReducingTeam, SaysWhatTheFirstSays) {
  EXPECT_EQ(team_problem(Members{{"", "A"}, {"it is late", ""}, {"it is early", "A"}}),
            "rank 1 of the team: it is late");
}

TEST(ReducingTeam, AgreesByMessages) {
  LocalCommunicator alone;
  EXPECT_EQ(team_problem({"", "A"}, alone), "");
  EXPECT_EQ(team_problem({"it is late", "A"}, alone), "rank 0 of the team: it is late");
}

/// Without NCCL in the program the reason is another.
bool says(const TeamReducer& made, const std::string& text) {
  return made.reducer == nullptr &&
         (made.reason == text || made.reason == "this atoll was built without NCCL");
}

TEST(ReducingTeam, WithoutAGpuHasNoNccl) {
  LocalCommunicator alone;
  const TeamReducer made = make_nccl_reducer(alone, nullptr);
  EXPECT_TRUE(says(made, "rank 0 of the team: it counts on the CPU")) << made.reason;
}

TEST(ReducingTeam, WithoutTheLibraryHasNoNccl) {
  LocalCommunicator alone;
  VisibleDevice device;
  device.uuid = "A";
  ::setenv("ATOLL_NCCL", "/missing.so", 1);
  const TeamReducer missing = make_nccl_reducer(alone, &device);
  ::setenv("ATOLL_NCCL", "libm.so.6", 1);
  const TeamReducer other = make_nccl_reducer(alone, &device);
  ::unsetenv("ATOLL_NCCL");
  EXPECT_TRUE(says(missing,
                   "rank 0 of the team: NCCL is not installed here, or not in LD_LIBRARY_PATH: "
                   "/missing.so: cannot open shared object file: No such file or directory"))
      << missing.reason;
  EXPECT_TRUE(says(other, "rank 0 of the team: the library that was found is not NCCL"))
      << other.reason;
}

}  // namespace
}  // namespace atl::cuda
