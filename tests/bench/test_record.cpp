// How records of a device are shown, made up here: most machines have none.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/bench/record_json.hpp"
#include "src/bench/record_table.hpp"

namespace atl {
namespace {

using Json = nlohmann::json;

// 1000 rules of 58 symbols on 1000 rows.
BenchRecord device_record() {
  BenchRecord record;
  record.bench = "interpreter";
  record.backend = "cuda";
  record.threads = 1;
  record.rows = record.rules = 1000;
  record.attributes = 16;
  record.symbols = 58;
  record.drawn = Workload();
  record.device.emplace();
  record.device->name = "Some GPU";
  record.device->driver = "13.1";
  record.device_rates.emplace();
  record.device_rates->logic = 5;
  return record;
}

StageTimes stages() {
  StageTimes stages;
  stages.wall = {0.5, 0.4, 7};
  stages.upload = 0.01, stages.coverage = 0.2, stages.reduction = 0.1, stages.fitness = 0.1;
  stages.download = 0.02, stages.total = 0.45;
  return stages;
}

BenchRecord fused_record() {
  BenchRecord record = device_record();
  record.pipeline = Pipeline::fused;
  record.times.emplace();
  record.times->raw = {{0.02, 0.01, 5}, KernelSeconds{0, 0, 0.004}};
  record.times->with_supports = {{0.04, 0.01, 5}, KernelSeconds{0, 0, 0.008}};
  record.times->effective = {{0.01, 0.01, 5}, KernelSeconds{0, 0, 0.002}};
  record.times->distinct_share = 0.5;
  record.device_bound = DeviceBound{29e9, 20e9, 30e9, "popcounts", 12e9};
  record.published_pipeline = stages();
  return record;
}

Json json_of(const BenchRecord& record) {
  return Json::parse(bench_json({record})).front();
}

TEST(BenchJson, HasTheDevicesFiguresBesideTheWalls) {
  const Json json = json_of(fused_record());
  EXPECT_EQ(json["machine"].get<std::string>().rfind("Some GPU, CUDA driver 13.1, ", 0), 0U);
  EXPECT_EQ(json["pipeline"], "fused");
  EXPECT_EQ(json["shape"], "one-sided");
  EXPECT_DOUBLE_EQ(json["raw_gpops_per_s"], 58e6 / 0.02);
  EXPECT_DOUBLE_EQ(json["device_raw_gpops_per_s"], 58e6 / 0.004);
  EXPECT_DOUBLE_EQ(json["device_supports_gpops_per_s"], 58e6 / 0.008);
  EXPECT_DOUBLE_EQ(json["device_effective_gpops_per_s"], 58e6 / 0.002);
  EXPECT_DOUBLE_EQ(json["share_of_bound"], 0.1);
  EXPECT_DOUBLE_EQ(json["device_share_of_bound"], 0.5);
  EXPECT_DOUBLE_EQ(json["plane_an_operation_gpops_per_s"], 12e9);
  EXPECT_EQ(json["bound_by"], "popcounts");
  EXPECT_EQ(json["device"]["logic_words_per_s"], 5);
  const Json& pipeline = json["published_pipeline"];
  EXPECT_DOUBLE_EQ(pipeline["seconds"], 0.5);
  EXPECT_DOUBLE_EQ(pipeline["coverage_seconds"], 0.2);
  EXPECT_DOUBLE_EQ(pipeline["gpops_per_s"], 58e6 / 0.4);
  EXPECT_DOUBLE_EQ(pipeline["coverage_gpops_per_s"], 58e6 / 0.2);
  EXPECT_DOUBLE_EQ(pipeline["ratio"], 25);
  EXPECT_DOUBLE_EQ(pipeline["device_ratio"], 100);
}

TEST(BenchJson, OfThePublishedPipelineAloneHasNoBoundAndNoRatio) {
  BenchRecord record = device_record();
  record.pipeline = Pipeline::published;
  record.published_pipeline = stages();
  record.times.emplace();
  record.times->raw = {stages().wall, KernelSeconds{0.2, 0.1, 0.4}};
  const Json json = json_of(record);
  EXPECT_DOUBLE_EQ(json["raw_gpops_per_s"], 58e6 / 0.5);
  EXPECT_DOUBLE_EQ(json["device_seconds"], 0.4);
  for (const char* key : {"effective_gpops_per_s", "supports_gpops_per_s", "distinct_share",
                          "bound_gpops_per_s", "share_of_bound", "core"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
  EXPECT_FALSE(json["published_pipeline"].contains("ratio"));
}

TEST(BenchJson, OfTheStagedPipelineHasItsStages) {
  BenchRecord record = fused_record();
  EXPECT_FALSE(json_of(record).contains("coverage_seconds"));
  record.pipeline = Pipeline::staged;
  record.published_pipeline.reset();
  record.times->raw.device = KernelSeconds{0.003, 0.001, 0.004};
  record.fitness = Timing{0.002, 0.001, 5};
  const Json json = json_of(record);
  EXPECT_EQ(json["pipeline"], "staged");
  EXPECT_DOUBLE_EQ(json["coverage_seconds"], 0.003);
  EXPECT_DOUBLE_EQ(json["reduction_seconds"], 0.001);
  EXPECT_DOUBLE_EQ(json["fitness_seconds"], 0.002);
}

TEST(BenchJson, OfConcurrencyHasStagesBesideTable6) {
  BenchRecord record = device_record();
  record.bench = "concurrency";
  record.pipeline = Pipeline::published;
  record.concurrency = ConcurrencyTimes{{0.5, 0.5, 5}, {0.3, 0.3, 5}, stages()};
  const Json json = json_of(record);
  EXPECT_DOUBLE_EQ(json["serial_seconds"], 0.5);
  EXPECT_DOUBLE_EQ(json["concurrent_seconds"], 0.3);
  EXPECT_DOUBLE_EQ(json["download_seconds"], 0.02);
  EXPECT_DOUBLE_EQ(json["published"]["coverage_seconds"], 0.606e-3);
  EXPECT_DOUBLE_EQ(json["published"]["concurrent_seconds"], 1.08e-3);
  EXPECT_FALSE(json.contains("seconds"));
}

void expect_same_bars(const std::string& line, const std::string& head) {
  for (std::size_t place = 0; place < std::max(line.size(), head.size()); ++place) {
    const bool here = place < line.size() && line[place] == '|';
    const bool above = place < head.size() && head[place] == '|';
    ASSERT_EQ(here, above) << place << '\n' << head << line;
  }
}

TEST(BenchTable, ColumnsStandUnderTheirHeads) {
  BenchRecord record = fused_record();
  record.published = Published{"Table 4", "gpops_per_s", {1e9, 2e9, 3e9, 4e9}};
  const std::string head = bench_table_head(BenchTable::device_rates, false);
  const auto line = [&] { return bench_table_line(BenchTable::device_rates, record); };
  EXPECT_EQ(std::count(head.begin(), head.end(), '|'), 3);
  expect_same_bars(line(), head);
  EXPECT_NE(line().find("100.0 |"), std::string::npos) << line();  // the ratio
  EXPECT_NE(line().find(" 50% |"), std::string::npos) << line();   // the bound's share

  record.times->with_supports.reset();
  record.device_bound.reset();
  record.pipeline = Pipeline::published;
  expect_same_bars(line(), head);
  record.published_pipeline.reset();
  expect_same_bars(line(), head);
  record.times.reset();
  expect_same_bars(line(), head);
  EXPECT_NE(line().find("no data |"), std::string::npos);
}

TEST(BenchTable, OfConcurrencyEndsWithThePapersLine) {
  BenchRecord record = device_record();
  record.pipeline = Pipeline::published;
  record.concurrency = ConcurrencyTimes{{0.5, 0.5, 5}, {0.3, 0.3, 5}, stages()};
  const std::string head = bench_table_head(BenchTable::concurrency, false);
  expect_same_bars(bench_table_line(BenchTable::concurrency, record), head);
  record.concurrency->stages.reset();
  expect_same_bars(bench_table_line(BenchTable::concurrency, record), head);
  const std::string end = bench_table_end(BenchTable::concurrency);
  expect_same_bars(end, head);
  EXPECT_NE(end.find("1.08"), std::string::npos);
}

}  // namespace
}  // namespace atl
