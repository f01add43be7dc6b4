// Figures of rules on a device and their tables, made up here: most machines have none.
#include <algorithm>

#include <gtest/gtest.h>

#include "src/bench/rule_figures.hpp"
#include "src/bench/rule_tables.hpp"

namespace atl {
namespace {

// 1000 rules of 58 symbols on 1000 rows.
Record device_record(Pipeline pipeline) {
  return {{"bench", "interpreter"}, {"backend", "cuda"}, {"pipeline", to_string(pipeline)},
          {"rows", 1000},           {"rules", 1000},     {"symbols", 58}};
}

StageTimes stages() {
  StageTimes stages;
  stages.wall = {0.5, 0.4, 7};
  stages.upload = 0.01, stages.coverage = 0.2, stages.reduction = 0.1, stages.fitness = 0.1;
  stages.download = 0.02, stages.total = 0.45;
  return stages;
}

EvaluationTimes fused_times() {
  EvaluationTimes times;
  times.raw = {{0.02, 0.01, 5}, KernelSeconds{0, 0, 0.004}};
  times.with_supports = {{0.04, 0.01, 5}, KernelSeconds{0, 0, 0.008}};
  times.effective = {{0.01, 0.01, 5}, KernelSeconds{0, 0, 0.002}};
  times.distinct_share = 0.5;
  return times;
}

Record fused_record() {
  Record record = device_record(Pipeline::fused);
  add_evaluation(record, fused_times());
  add_device_bound(record, DeviceBound{29e9, 20e9, 30e9, "popcounts", 12e9});
  add_published_pipeline(record, stages());
  return record;
}

TEST(RuleFigures, HaveTheDevicesBesideTheWalls) {
  const Record record = fused_record();
  EXPECT_DOUBLE_EQ(record["raw_gpops_per_s"], 58e6 / 0.02);
  EXPECT_DOUBLE_EQ(record["device_raw_gpops_per_s"], 58e6 / 0.004);
  EXPECT_DOUBLE_EQ(record["device_supports_gpops_per_s"], 58e6 / 0.008);
  EXPECT_DOUBLE_EQ(record["device_effective_gpops_per_s"], 58e6 / 0.002);
  EXPECT_DOUBLE_EQ(record["share_of_bound"], 0.1);
  EXPECT_DOUBLE_EQ(record["device_share_of_bound"], 0.5);
  EXPECT_DOUBLE_EQ(record["plane_an_operation_gpops_per_s"], 12e9);
  EXPECT_EQ(record["bound_by"], "popcounts");
  EXPECT_FALSE(record.contains("coverage_seconds"));
  const Record& pipeline = record["published_pipeline"];
  EXPECT_DOUBLE_EQ(pipeline["seconds"], 0.5);
  EXPECT_DOUBLE_EQ(pipeline["coverage_seconds"], 0.2);
  EXPECT_DOUBLE_EQ(pipeline["gpops_per_s"], 58e6 / 0.4);
  EXPECT_DOUBLE_EQ(pipeline["coverage_gpops_per_s"], 58e6 / 0.2);
  EXPECT_DOUBLE_EQ(pipeline["ratio"], 25);
  EXPECT_DOUBLE_EQ(pipeline["device_ratio"], 100);
}

TEST(RuleFigures, OfADeviceHaveItsNameAndRates) {
  cuda::VisibleDevice device;
  device.name = "Some GPU";
  device.driver = "13.1";
  cuda::DeviceRates rates;
  rates.logic = 5;
  EXPECT_EQ(rates_of(device, rates)["logic_words_per_s"], 5);
  EXPECT_EQ(machine_description(device).rfind("Some GPU, CUDA driver 13.1, ", 0), 0U);
}

TEST(RuleFigures, OfThePublishedPipelineAloneHaveNoBoundAndNoRatio) {
  Record record = device_record(Pipeline::published);
  EvaluationTimes times;
  times.raw = {stages().wall, KernelSeconds{0.2, 0.1, 0.4}};
  add_evaluation(record, times);
  add_published_pipeline(record, stages());
  EXPECT_DOUBLE_EQ(record["raw_gpops_per_s"], 58e6 / 0.5);
  EXPECT_DOUBLE_EQ(record["device_seconds"], 0.4);
  for (const char* key : {"effective_gpops_per_s", "supports_gpops_per_s", "distinct_share",
                          "bound_gpops_per_s", "share_of_bound", "core"}) {
    EXPECT_FALSE(record.contains(key)) << key;
  }
  EXPECT_FALSE(record["published_pipeline"].contains("ratio"));
}

TEST(RuleFigures, OfTheStagedPipelineHaveItsStages) {
  Record record = device_record(Pipeline::staged);
  EvaluationTimes times = fused_times();
  times.raw.device = KernelSeconds{0.003, 0.001, 0.004};
  add_evaluation(record, times);
  EXPECT_DOUBLE_EQ(record["coverage_seconds"], 0.003);
  EXPECT_DOUBLE_EQ(record["reduction_seconds"], 0.001);
}

Record concurrency_record() {
  Record record = device_record(Pipeline::published);
  add_concurrency(record, {{0.5, 0.5, 5}, {0.3, 0.3, 5}, stages()});
  return record;
}

TEST(RuleFigures, OfConcurrencyHaveStagesBesideTable6) {
  const Record record = concurrency_record();
  EXPECT_DOUBLE_EQ(record["serial_seconds"], 0.5);
  EXPECT_DOUBLE_EQ(record["concurrent_seconds"], 0.3);
  EXPECT_DOUBLE_EQ(record["download_seconds"], 0.02);
  EXPECT_DOUBLE_EQ(record["published"]["coverage_seconds"], 0.606e-3);
  EXPECT_DOUBLE_EQ(record["published"]["concurrent_seconds"], 1.08e-3);
  EXPECT_FALSE(record.contains("seconds"));
}

void expect_same_bars(const std::string& line, const std::string& head) {
  for (std::size_t place = 0; place < std::max(line.size(), head.size()); ++place) {
    const bool here = place < line.size() && line[place] == '|';
    const bool above = place < head.size() && head[place] == '|';
    ASSERT_EQ(here, above) << place << '\n' << head << line;
  }
}

TEST(RuleTables, HaveColumnsUnderTheirHeads) {
  BenchMachine machine;
  machine.options.backend = "cuda";
  const Table table = rates_table(machine, "", false);
  const std::string head = head_of(table);
  Record record = fused_record();
  const auto with_published = [](Record of) {
    add_published(of, "Table 4", "gpops_per_s", {1e9, 2e9, 3e9, 4e9});
    return of;
  };
  const auto line = [&] { return lines_of(table, std::vector{with_published(record)}); };
  EXPECT_EQ(std::count(head.begin(), head.end(), '|'), 3);
  expect_same_bars(line(), head);
  EXPECT_NE(line().find("100.0 |"), std::string::npos) << line();  // the ratio
  EXPECT_NE(line().find(" 50% |"), std::string::npos) << line();   // the bound's share

  record = device_record(Pipeline::published);
  EvaluationTimes times;
  times.raw = {stages().wall, KernelSeconds{0.2, 0.1, 0.4}};
  add_evaluation(record, times);
  add_published_pipeline(record, stages());
  expect_same_bars(line(), head);
  record.erase("published_pipeline");
  expect_same_bars(line(), head);
  record = {{"dataset", "magic"}, {"rows", 1000}, {"rules", 25}, {"data", "no data"}};
  expect_same_bars(line(), head);
  EXPECT_NE(line().find("no data |"), std::string::npos);
}

TEST(RuleTables, OfConcurrencyEndWithThePapersLine) {
  const std::vector<Table> tables = concurrency_tables();
  std::vector<Record> records = {concurrency_record()};
  const std::string head = head_of(tables[0]);
  expect_same_bars(lines_of(tables[0], records), head);
  for (const char* stage : {"upload", "coverage", "reduction", "fitness", "download"}) {
    records[0].erase(std::string(stage) + "_seconds");
  }
  expect_same_bars(lines_of(tables[0], records), head);
  const std::string end = text_of(tables[1], records);
  expect_same_bars(end, head);
  EXPECT_NE(end.find("1.08"), std::string::npos);
}

}  // namespace
}  // namespace atl
