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

Record poker_record() {
  cuda::VisibleDevice device;
  device.name = "Some GPU";
  Record record =
      population_record("poker", 1'000'000, 10, 10, 100, RuleSetShape::conjunctions, device);
  record["symbols"] = 20'000;
  record["backend"] = "cuda";
  add_scoring(record, {0.25e-3, 0.2e-3, 9});
  record["device_seconds"] = 0.1e-3;
  record["one_core_seconds"] = 10e-3;
  record["staged_seconds"] = 1e-3;
  add_stages(record, {0.4e-3, 0.1e-3, 0.2e-3, 0.1e-3});
  add_watts(record, 400);
  add_published_pipeline(record, {25e-3, 24e-3, 9}, {1e-6, 20e-3, 2e-3, 1e-3, 1e-3, 2e-6});
  add_paper(record, pittsburgh_data().back().sizes[3]);
  return record;
}

TEST(PittsburghRecords, HaveThePublishedBesideOurs) {
  const Record record = poker_record();
  EXPECT_EQ(record["dataset"], "poker");
  EXPECT_DOUBLE_EQ(record["gpops_per_s"], 20e9 / 0.25e-3);
  EXPECT_DOUBLE_EQ(record["coverage_gpops_per_s"], 20e9 / 0.4e-3);
  EXPECT_DOUBLE_EQ(record["gpops_per_s_per_watt"], 20e9 / 0.25e-3 / 400);
  EXPECT_DOUBLE_EQ(record["published_pipeline"]["ratio"], 100);
  EXPECT_DOUBLE_EQ(record["published_pipeline"]["kernel_seconds"], 24e-3);
  EXPECT_DOUBLE_EQ(record["published"]["evaluation"]["gpu_seconds"], 0.4749);
  EXPECT_DOUBLE_EQ(record["published"]["interpreter"]["gpu_seconds"], 0.7043908);
  EXPECT_EQ(block_record({192, 8, 1536, 2048}, 0.02)["threads_per_block"], 192);
}

std::string pittsburgh_text(const std::vector<Record>& records) {
  std::string text;
  for (const Table& table : pittsburgh_tables()) text += text_of(table, records);
  return text;
}

TEST(PittsburghTables, HaveThoseOfThePaperAfterTheLines) {
  const std::string text =
      pittsburgh_text({poker_record(), block_record({192, 8, 1536, 2048}, 0.02)});
  for (const char* line :
       {// Tables 3 and 4
        "poker          1000000  100 conjunctions     2e+04 |     0.25      0.1          |",
        "|       25       20       24    100.0 |",
        // Table 1
        "    192 |           1536     48       8        75% |          20 |           1536       8 "
        "      100%",
        // Table 5
        "Some GPU, poker                             400.0",
        // Figures 5 and 6
        "poker           100                2e+04 |                5e+04     8e+04 |",
        "poker                   10     40.0          |         1724    3426\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << '\n' << text;
  }
}

TEST(PittsburghTables, SayWhereThereIsNoDataAndNoPower) {
  Record record = poker_record();
  record.erase("watts");
  EXPECT_NE(pittsburgh_text({record}).find("no power reading"), std::string::npos);
  EXPECT_EQ(pittsburgh_text({record}).find("Table 1"), std::string::npos);
  record.erase("symbols");
  record.erase("seconds");
  record["data"] = "no data";
  EXPECT_NE(pittsburgh_text({record}).find("no data"), std::string::npos);
  EXPECT_NE(pittsburgh_text({record}).find("474.9"), std::string::npos);
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
