#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "src/run/loop/cluster_warnings.hpp"

namespace atl::test {
namespace {

RankPlace rank(const std::string& machine, const std::string& cpus, unsigned threads,
               bool sees_run = true) {
  return {"host-" + machine, machine, *parse_cpus(cpus), threads, sees_run};
}

std::optional<std::string> crowded(const std::vector<RankPlace>& ranks) {
  return crowded_cores(ranks);
}

TEST(CrowdedCores, ThreadsThatFitAreNoFault) {
  EXPECT_FALSE(crowded({}));
  EXPECT_FALSE(crowded({rank("a", "0-7", 8)}));
  EXPECT_FALSE(crowded({rank("a", "0-3", 4), rank("a", "4-7", 4)}));
  EXPECT_FALSE(crowded({rank("a", "0-7", 4), rank("a", "0-7", 4)}));
  EXPECT_FALSE(crowded({rank("a", "0-7", 8), rank("b", "0-7", 8)}));  // cores of two machines
  EXPECT_FALSE(crowded({rank("a", "", 8)}));                          // not known
}

TEST(CrowdedCores, EveryRankBelievesToOwnAllCores) {
  EXPECT_EQ(*crowded({rank("a", "0-7", 8), rank("a", "0-7", 8)}),
            "2 ranks have 16 threads on 8 cores of host-a; give each cores of its own (mpirun "
            "--map-by slot:PE=N, srun --cpus-per-task=N) or fewer --threads");
}

TEST(CrowdedCores, OneRankMayBeTooManyForItsCores) {
  EXPECT_EQ(*crowded({rank("a", "3", 2)}),
            "2 threads on 1 core of host-a; more threads than cores slow each other down");
}

TEST(CrowdedCores, RanksThatShareWithAThirdShareWithEachOther) {
  const auto warning =
      crowded({rank("a", "0-1", 2), rank("a", "4-5", 2), rank("b", "0-7", 8), rank("a", "1-4", 4)});
  ASSERT_TRUE(warning);
  EXPECT_EQ(warning->find("3 ranks have 8 threads on 6 cores of host-a;"), 0U) << *warning;
}

TEST(CrowdedCores, TheWorstIsNamed) {
  const auto warning = crowded({rank("a", "0-1", 2), rank("a", "0-1", 2), rank("b", "0-1", 2),
                                rank("b", "0-1", 2), rank("b", "0-1", 2)});
  ASSERT_TRUE(warning);
  EXPECT_EQ(warning->find("3 ranks have 6 threads on 2 cores of host-b;"), 0U) << *warning;
}

constexpr RunPlace home_disk{FileSystem::disk, false, true, false};

std::optional<std::string> lone(RunPlace run, bool scheduled, const std::vector<RankPlace>& ranks) {
  run.scheduled = scheduled;
  return lone_folder(run, ranks);
}

TEST(LoneFolder, ALaptopHasNoOther) {
  const std::vector<RankPlace> one = {rank("a", "0-1", 1), rank("a", "0-1", 1)};
  for (const FileSystem kind :
       {FileSystem::any, FileSystem::memory, FileSystem::disk, FileSystem::layer}) {
    EXPECT_FALSE(lone({kind, true, false}, false, one));
  }
}

TEST(LoneFolder, UnderASchedulerTheKindOfFileSystemTells) {
  const std::vector<RankPlace> one = {rank("a", "0-1", 1)};
  EXPECT_FALSE(lone({FileSystem::any, false, false}, true, one));
  EXPECT_FALSE(lone({FileSystem::any, true, false}, true, one));  // a /tmp that all nodes see
  EXPECT_FALSE(lone(home_disk, true, one));  // a single machine with a scheduler
  EXPECT_TRUE(lone({FileSystem::disk, false, false}, true, one));
  EXPECT_TRUE(lone({FileSystem::layer, false, true}, true, one));
  EXPECT_EQ(*lone({FileSystem::disk, true, true}, true, one),
            "RUN is on a disk of this node alone, for temporary files: no other node can go on "
            "with it, and it may be gone with the job");
  EXPECT_EQ(*lone({FileSystem::memory, false, true}, true, one),
            "RUN is in memory of this node alone: no other node can go on with it, and it may be "
            "gone with the job");
}

TEST(LoneFolder, RanksOnOtherHostsTellWhetherTheySeeIt) {
  const auto two = [](bool other_sees) {
    return std::vector<RankPlace>{rank("a", "0-1", 1), rank("b", "0-1", 1, other_sees)};
  };
  for (const bool scheduled : {false, true}) {
    EXPECT_FALSE(lone({FileSystem::disk, false, false}, scheduled, two(true)));  // exported
    EXPECT_TRUE(lone(home_disk, scheduled, two(false)));
    EXPECT_FALSE(lone({FileSystem::any, false, false}, scheduled, two(false)));
  }
}

TEST(LateCheckpoint, OnlyAnIntervalThatSomebodyMadeLongerIsAFault) {
  const double never = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(late_checkpoint({}, 0.1));  // --stop-after 0.1s and the default
  EXPECT_FALSE(late_checkpoint({60, 0}, 30));
  EXPECT_FALSE(late_checkpoint({600, 0}, never));
  EXPECT_FALSE(late_checkpoint({600, 0}, 601));
  EXPECT_FALSE(late_checkpoint({600, 1000}, 1));  // by generations
  EXPECT_EQ(*late_checkpoint({600, 0}, 300),
            "--checkpoint-every is 10 min 00 s, this job has 5 min 00 s: if it is killed before "
            "its end, all of its work is lost");
  EXPECT_TRUE(late_checkpoint({600, 0}, 600));
}

}  // namespace
}  // namespace atl::test
