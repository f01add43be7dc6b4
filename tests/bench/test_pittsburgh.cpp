// Decision lists of benchmarks, and how records of them are shown, made up here.
#include <gtest/gtest.h>

#include "src/bench/pittsburgh_bench.hpp"
#include "src/generate/poker.hpp"

namespace atl {
namespace {

std::vector<RuleSet> poker_lists(RuleSetShape shape) {
  const PokerSource source(1);
  return workload_lists(source.attributes(), 10, {100, 207.5, shape});
}

TEST(RuleSetWorkload, HasARuleForEachClassAndTheSymbolsAskedFor) {
  const auto lists = poker_lists(RuleSetShape::conjunctions);
  ASSERT_EQ(lists.size(), 100U);
  std::size_t all = 0;
  for (const RuleSet& list : lists) {
    ASSERT_EQ(list.rules.size(), 10U);
    for (std::uint32_t r = 0; r < 10; ++r) {
      EXPECT_EQ(list.rules[r].label, r);
      EXPECT_TRUE(list.rules[r].antecedent.is_conjunction());
      EXPECT_FALSE(list.rules[r].antecedent.empty());
    }
    all += symbols(list);
  }
  EXPECT_NEAR(static_cast<double>(all), 20750, 400);
  EXPECT_NE(lists[0].rules, lists[1].rules);
  EXPECT_EQ(poker_lists(RuleSetShape::conjunctions), lists);
}

TEST(RuleSetWorkload, TakesConnectivesOfTheGrammar) {
  std::size_t ands = 0, ors = 0, nots = 0;
  for (const RuleSet& list : poker_lists(RuleSetShape::grammar)) {
    for (const ClassRule& rule : list.rules) {
      for (const Op op : rule.antecedent.program()) {
        ands += op == Op::conjunction;
        ors += op == Op::disjunction;
        nots += op == Op::negation;
      }
    }
  }
  EXPECT_GT(ands, 1000U);
  EXPECT_GT(ors, 1000U);
  EXPECT_GT(nots, 500U);
}

PittsburghTimes poker_times() {
  PittsburghTimes record;
  record.data = &pittsburgh_data().back();
  record.rows = 1'000'000;
  record.attributes = record.classes = 10;
  record.population = 100;
  record.symbols = 20'000;
  record.backend = "cuda";
  record.threads = 1;
  record.device.emplace();
  record.device->name = "Some GPU";
  record.fused = Timing{0.25e-3, 0.2e-3, 9};
  record.device_seconds = 0.1e-3;
  record.staged = Timing{1e-3, 1e-3, 9};
  record.stages = RuleSetStageSeconds{0.4e-3, 0.1e-3, 0.2e-3, 0.1e-3};
  record.one_core = Timing{10e-3, 9e-3, 9};
  record.published = PittsburghPublished{{25e-3, 24e-3, 9}, {1e-6, 20e-3, 2e-3, 1e-3, 1e-3, 2e-6}};
  record.watts = 400;
  record.paper = &record.data->sizes[3];
  return record;
}

TEST(PittsburghRecords, HasThePublishedBesideOurs) {
  const Record record = record_of(poker_times());
  EXPECT_EQ(record["dataset"], "poker");
  EXPECT_DOUBLE_EQ(record["gpops_per_s"], 20e9 / 0.25e-3);
  EXPECT_DOUBLE_EQ(record["coverage_gpops_per_s"], 20e9 / 0.4e-3);
  EXPECT_DOUBLE_EQ(record["gpops_per_s_per_watt"], 20e9 / 0.25e-3 / 400);
  EXPECT_DOUBLE_EQ(record["published_pipeline"]["ratio"], 100);
  EXPECT_DOUBLE_EQ(record["published_pipeline"]["kernel_seconds"], 24e-3);
  EXPECT_DOUBLE_EQ(record["published"]["evaluation"]["gpu_seconds"], 0.4749);
  EXPECT_DOUBLE_EQ(record["published"]["interpreter"]["gpu_seconds"], 0.7043908);
  EXPECT_FALSE(record.contains("two_gpus_seconds"));
  EXPECT_EQ(record_of(PittsburghBlocks{{192, 8, 1536, 2048}, 0.02})["threads_per_block"], 192);
}

TEST(PittsburghTables, SayWhereThereIsNoDataAndNoPower) {
  PittsburghTimes times = poker_times();
  times.watts.reset();
  const auto text = [&] {
    std::string all;
    for (const Table& table : pittsburgh_tables())
      all += text_of(table, std::vector{record_of(times)});
    return all;
  };
  EXPECT_NE(text().find("no power reading"), std::string::npos);
  EXPECT_EQ(text().find("Table 1"), std::string::npos);
  times.fused.reset();
  EXPECT_NE(text().find("no data"), std::string::npos);
  EXPECT_NE(text().find("474.9"), std::string::npos);
  EXPECT_EQ(record_of(times)["data"], "no data");
}

TEST(PittsburghFigures, AreThoseOfThePaper) {
  ASSERT_EQ(pittsburgh_data().size(), 10U);
  for (const PittsburghData& data : pittsburgh_data()) {
    EXPECT_EQ(data.sizes[0].population, 10U);
    EXPECT_EQ(data.sizes[3].population, 100U);
    for (const PittsburghSize& size : data.sizes) {  // each rule has some symbols
      const double of_rule =
          size.operations / static_cast<double>(data.rows) / size.population / data.classes;
      EXPECT_GT(of_rule, 10) << data.name;
      EXPECT_LT(of_rule, 25) << data.name;
    }
  }
}

}  // namespace
}  // namespace atl
