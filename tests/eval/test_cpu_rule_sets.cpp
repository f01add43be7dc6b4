// What is particular to the CPU's scorers of decision lists: threads, instruction sets, batches in
// flight.
#define HWY_WANT_AVX3_DL
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "tests/eval/backend.hpp"
#include "tests/eval/random_lists.hpp"

namespace atl::test {
namespace {

struct ListCase {
  explicit ListCase(std::uint64_t rows)
      : table(classified_table(rows, rows, 5, true)),
        data(make_dataset(table.attributes, table.columns, 4096)),
        lists(random_lists(rows, 20, data.attributes(), 10, 12)),
        expected(scores_of(*make_reference_rule_set_scorer(data, {8, 2}))) {}

  std::vector<RuleSetCounts> scores_of(RuleSetScorer& scorer, bool staged = false) const {
    scorer.prepare(lists, {{}, staged});
    scorer.start();
    scorer.finish();
    std::vector<RuleSetCounts> counts(lists.size());
    scorer.read(counts);
    return counts;
  }

  RandomTable table;
  Dataset data;
  std::vector<RuleSet> lists;
  std::vector<RuleSetCounts> expected;
};

TEST(CpuRuleSets, AnyNumberOfThreadsScoresTheSame) {
  const ListCase sample(20000);
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    ThreadPool pool(threads);
    const auto scorer = make_cpu_device(pool)->load(sample.data)->rule_set_scorer({8, 2});
    EXPECT_EQ(sample.scores_of(*scorer), sample.expected);
    EXPECT_EQ(sample.scores_of(*scorer, true), sample.expected);
  }
}

TEST(CpuRuleSets, NeedNoPool) {
  const ListCase sample(3000);
  const auto resident = make_reference_device()->load(sample.data);
  const auto scorer = resident->Resident::rule_set_scorer({8, 2});
  EXPECT_EQ(sample.scores_of(*scorer), sample.expected);
  EXPECT_EQ(sample.scores_of(*scorer, true), sample.expected);
}

TEST(CpuRuleSets, ScoreForThePoolsOwnTasks) {
  const ListCase sample(5000);
  for (const unsigned threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    const auto resident = make_cpu_device(pool)->load(sample.data);
    pool.wait(pool.submit(4, [&](std::size_t task, unsigned) {
      const auto scorer = resident->rule_set_scorer({8, 2});
      EXPECT_EQ(sample.scores_of(*scorer, task % 2 == 1), sample.expected);
    }));
  }
}

TEST(CpuRuleSets, EveryInstructionSetScoresTheSame) {
  ThreadPool pool(1);
  for (const std::uint64_t rows : {1U, 65U, 1500U}) {
    const ListCase sample(rows);
    hwy::SetSupportedTargetsForTest(0);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      SCOPED_TRACE(hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      const auto scorer = make_cpu_device(pool)->load(sample.data)->rule_set_scorer({8, 2});
      EXPECT_EQ(sample.scores_of(*scorer), sample.expected);
      EXPECT_EQ(sample.scores_of(*scorer, true), sample.expected);
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

}  // namespace
}  // namespace atl::test
