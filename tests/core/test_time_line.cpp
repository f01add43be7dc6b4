#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/time_line.hpp"

namespace atl::test {
namespace {

void burn(double seconds) {
  const double end = TimeLine::spent().processor + seconds;
  while (TimeLine::spent().processor < end) {
  }
}

TEST(TimeLine, AddsUpPhasesWithinPhases) {
  TimeLine line;
  for (int i = 0; i < 2; ++i) {
    line.enter("list");
    line.enter("counts");
    line.add_bytes(100);
    burn(0.01);
    line.leave();
    line.leave();
  }
  line.enter("files");
  const std::vector<PhaseTime> phases = line.phases();
  ASSERT_EQ(phases.size(), 3U);
  EXPECT_EQ(phases[0].name, "list");
  EXPECT_EQ(phases[0].times, 2U);
  EXPECT_EQ(phases[0].bytes, 0U);
  EXPECT_EQ(phases[1].name, "counts");
  EXPECT_EQ(phases[1].depth, 1U);
  EXPECT_EQ(phases[1].times, 2U);
  EXPECT_EQ(phases[1].bytes, 200U);
  EXPECT_GE(phases[1].spent.processor, 0.02);
  EXPECT_GE(phases[0].spent.wall, phases[1].spent.wall);
  EXPECT_GT(phases[0].peak, 0U);
  EXPECT_EQ(phases[2].name, "files");
  EXPECT_GE(phases[2].spent.wall, 0);
}

TEST(TimeLine, TellsTheSameNameApartByWhatItIsWithin) {
  TimeLine line;
  line.enter("counts");
  line.leave();
  line.enter("list");
  line.enter("counts");
  line.leave();
  line.leave();
  const std::vector<PhaseTime> phases = line.phases();
  ASSERT_EQ(phases.size(), 3U);
  EXPECT_EQ(phases[0].depth, 0U);
  EXPECT_EQ(phases[2].depth, 1U);
}

TEST(TimeLine, HeedsTheThreadThatMadeItAlone) {
  TimeLine line;
  line.enter("list");
  std::thread([&] {
    line.enter("elsewhere");
    line.leave();
    line.leave();
  }).join();
  line.add_bytes(1);
  const std::vector<PhaseTime> phases = line.phases();
  ASSERT_EQ(phases.size(), 1U);
  EXPECT_EQ(phases[0].bytes, 1U);
}

TEST(TimeLine, CountsFromTheBeginningOfTheProcess) {
  const Spent before = TimeLine::spent();
  EXPECT_GT(before.wall, 0);
  EXPECT_LT(before.wall, 3600);
  EXPECT_GE(TimeLine::spent().wall, before.wall);
}

TEST(TimingsTable, FitsIntoEightyColumnsAndNamesWhatHasNoPhase) {
  const std::vector<PhaseTime> phases = {
      {"rows", 0, 1, {12'345.678, 98'765.432}, 123'456'789'012, 123'456'789'012},
      {"read", 1, 1, {1, 4}, 0, 1'000'000}};
  std::istringstream table(timings_table(phases, {12'346.678, 98'766.432}));
  std::vector<std::string> lines;
  for (std::string line; std::getline(table, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[2],
            "  read                        1.000    0.0%      4.000   4.0                1.0");
  EXPECT_EQ(lines[3].substr(0, 36), "without a name                1.000 ");
  EXPECT_EQ(lines[4].substr(0, 6), "whole ");
}

}  // namespace
}  // namespace atl::test
