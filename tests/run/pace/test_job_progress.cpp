#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/run/pace/job_progress.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl {
namespace {

Progress example() {
  Progress progress;
  progress.generation = 30;
  progress.evaluated = 25'000;
  progress.archived = 400;
  progress.best = {0.0581666, std::numeric_limits<double>::quiet_NaN()};
  return progress;
}

TEST(ProgressLine, SaysHowFarAndHowLong) {
  const Experiment experiment = default_experiment("niching");  // 100 generations
  EXPECT_EQ(progress_line(example(), experiment, 10, 0),
            "generation 30/100  leverage 0.05817  certainty_factor -  archive 400  2.5 k rules/s  "
            "24 s left");
}

TEST(ProgressLine, TellsOfListsInTheirWords) {
  Experiment experiment = default_experiment("rule-sets");
  experiment.generations = 60;
  Progress progress = example();
  progress.best = {0.97991};
  EXPECT_EQ(progress_line(progress, experiment, 10, 0),
            "generation 30/60  accuracy 97.99%  2.5 k lists/s  at most 10 s left");
  experiment.patience = Patience::endless;
  EXPECT_TRUE(progress_line(progress, experiment, 10, 0).ends_with("lists/s  10 s left"));
}

TEST(ProgressLine, CountsTimeFromWhereTheJobBegan) {
  const Experiment experiment = default_experiment("niching");
  // 10 generations in 100 s, 70 to go.
  EXPECT_TRUE(
      progress_line(example(), experiment, 100, 20).ends_with("  250 rules/s  11 min 40 s left"));
  EXPECT_TRUE(progress_line(example(), experiment, 100, 30).ends_with("250 rules/s"));
}

TEST(ProgressLine, EndsWithWhatIsLeftOfTheTime) {
  Experiment experiment = default_experiment("niching");
  EXPECT_TRUE(progress_line(example(), experiment, 10, 0, 5).ends_with("  5 s left"));
  EXPECT_TRUE(progress_line(example(), experiment, 10, 0, 50).ends_with("  24 s left"));
  experiment.generations = endless_generations;
  const std::string line = progress_line(example(), experiment, 10, 0, 50);
  EXPECT_TRUE(line.starts_with("generation 30  leverage")) << line;
  EXPECT_TRUE(line.ends_with("  at most 50 s left")) << "patience may end it: " << line;
}

TEST(ProgressRecord, GivesSharesOfTheTimeOfAllRanks) {
  const Experiment experiment = default_experiment("niching");
  Progress progress = example();
  progress.times = {4, 1, 9, 3.5, 2, 0.0004};
  const auto record = progress_record(progress, experiment, 10, 2);
  EXPECT_EQ(
      record.dump(),
      R"({"generation":30,"evaluated":25000,"rules_per_second":2500.0,"archived":400,)"
      R"("best":{"leverage":0.0581666,"certainty_factor":null},)"
      R"("phases":{"breed":0.2,"fit":0.05,"evaluate":0.45,"replacement":0.175,"idle":0.1,"exchange":0.0}})");
  EXPECT_FALSE(record.contains("device_busy"));
  progress.device_seconds = {5, 4, 3};
  progress.devices = 2;
  const auto on_devices = progress_record(progress, experiment, 10, 3);
  EXPECT_EQ(on_devices["device_busy"], 0.25);
  EXPECT_EQ(on_devices["device_counts"], 0.2);
  EXPECT_EQ(on_devices["device_fits"], 0.15);
  EXPECT_EQ(progress_record(example(), experiment, 0, 1)["rules_per_second"], 0.0);
}

TEST(GatherProgress, IsTheSameForOneRank) {
  LocalCommunicator local;
  const auto gathered = gather_progress(example(), local);
  ASSERT_TRUE(gathered);
  EXPECT_EQ(gathered->evaluated, 25'000U);
  EXPECT_EQ(gathered->best[0], 0.0581666);
}

}  // namespace
}  // namespace atl
