#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/split.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/choice/list_lines.hpp"
#include "src/results/choice/news_order.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {
namespace {

class ListLinesTest : public testing::Test {
 protected:
  ListLinesTest() { experiment_.aim.target = {"c5=l1"}; }

  RuleRecord record(const std::string& text) const {
    RuleRecord made;
    made.rule = parse_rule(text, dataset_.attributes(), "test");
    made.table = resident_->count(std::vector{made.rule}, counted_.options())[0].table;
    return made;
  }

  std::vector<RuleRecord> records(const std::vector<std::string>& antecedents) const {
    std::vector<RuleRecord> made;
    for (const std::string& text : antecedents) made.push_back(record(text + " => c5 = l1"));
    return made;
  }

  std::vector<std::string> texts(const std::vector<ListLine>& lines) const {
    std::vector<std::string> all;
    for (const ListLine& line : lines) {
      std::string text = to_text(line.record.rule.antecedent, dataset_.attributes());
      for (const RuleRecord& v : line.variants) {
        EXPECT_EQ(v.kind, RuleKind::variant);
        text += " | " + to_text(v.rule.antecedent, dataset_.attributes());
      }
      all.push_back(text);
    }
    return all;
  }

  std::vector<ListLine> by_measure(const std::vector<RuleRecord>& of) {
    std::set<Rule> all;
    for (const RuleRecord& r : of) all.insert(r.rule);
    return ListLines(experiment_, counted_, pool_).by_measure(of, all);
  }

  ThreadPool pool_{2};
  Experiment experiment_ = small_experiment("niching");
  Dataset dataset_ = planted_table(4000);
  std::shared_ptr<Resident> resident_ = make_reference_device()->load(dataset_);
  CountedRules counted_{*resident_, counting_options(experiment_, dataset_.attributes())};
};

using Texts = std::vector<std::string>;

}  // namespace

// x0 and c4 are uniform on 40 and 5 values: rows of antecedents follow.
TEST_F(ListLinesTest, ARuleOnMoreThanHalfOfTheSameRowsIsAVariant) {
  EXPECT_EQ(texts(by_measure(records({"x0 in [12, 19]", "x0 in [12, 16]", "x0 in [16, 24]"}))),
            (Texts{"x0 in [12, 19] | x0 in [12, 16]", "x0 in [16, 24]"}));
  experiment_.max_similarity = 1;
  EXPECT_EQ(by_measure(records({"x0 in [12, 19]", "x0 in [12, 16]"})).size(), 2U);
}

TEST_F(ListLinesTest, APartOfALineIsAVariantUnlessItIsProductive) {
  // c4 = l2 tells of c5 among the rows of x0, c6 does not.
  EXPECT_EQ(texts(by_measure(records(
                {"x0 in [12, 19]", "x0 in [12, 19] AND c4 = l2", "x0 in [12, 19] AND c6 = l0"}))),
            (Texts{"x0 in [12, 19] | x0 in [12, 19] AND c6 = l0", "x0 in [12, 19] AND c4 = l2"}));
}

TEST_F(ListLinesTest, RulesOfOtherConsequentsAreNoVariants) {
  std::vector<RuleRecord> both = records({"x0 in [12, 19]"});
  both.push_back(record("x0 in [12, 18] => c5 = l2"));
  EXPECT_EQ(by_measure(both).size(), 2U);
}

TEST_F(ListLinesTest, NewsStandFirst) {
  const auto of = records({"c4 = l2", "x0 in [12, 19]", "x0 in [12, 19] AND c4 = l2",
                           "x0 in [11, 19] AND c4 = l2", "x1 > 30"});
  const auto lines = ListLines(experiment_, counted_, pool_).by_news(of, 4);
  ASSERT_EQ(lines.size(), 4U);
  const Texts order = texts(lines);
  EXPECT_EQ(order.back(), "x1 > 30");
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const ListLine& line) { return !line.variants.empty(); }),
            1);
  std::uint64_t covered = 0;
  for (const ListLine& line : lines) covered += line.new_rows.value();
  EXPECT_EQ(covered,
            counted_
                .count(std::vector{parse_rule("c4 = l2 OR x0 in [12, 19] OR x1 > 30 => c5 = l1",
                                              dataset_.attributes(), "test")})[0]
                .table.n_antecedent);
}

TEST_F(ListLinesTest, ConsequentsTakeTurns) {
  std::vector<RuleRecord> of = records({"x0 in [12, 19]", "c4 = l2", "x1 > 30"});
  of.push_back(record("x2 > 20 => c5 = l3"));
  of.push_back(record("x3 > 20 => c5 = l3"));
  const auto lines = ListLines(experiment_, counted_, pool_).by_news(of, 4);
  ASSERT_EQ(lines.size(), 4U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].record.rule.consequent.comparisons()[0].low, i % 2 == 0 ? 1U : 3U) << i;
  }
}

TEST_F(ListLinesTest, TheOrderDoesNotDependOnThreads) {
  const auto of = records({"c4 = l2", "x0 in [12, 19]", "x0 in [12, 19] AND c4 = l2", "x1 > 30",
                           "x0 > 11", "x0 <= 19", "c6 = l1", "x2 <= 7 AND c4 = l2"});
  ThreadPool alone(1);
  EXPECT_EQ(texts(ListLines(experiment_, counted_, pool_).by_news(of, 6)),
            texts(ListLines(experiment_, counted_, alone).by_news(of, 6)));
}

TEST(AntecedentRows, AreThoseOfAnyExpression) {
  const Dataset dataset = planted_table(300, true);
  ThreadPool pool(2);
  const AntecedentRows rows(dataset, 1000, pool);
  ASSERT_TRUE(rows.is_whole());
  const Rule rule =
      parse_rule("x3 > 20 OR NOT (c7 = l1 AND x0 <= 9) => c5 = l1", dataset.attributes(), "test");
  const Expression* const side = &rule.antecedent;
  const RowBits bits = rows.cover(std::span(&side, 1))[0];
  for (std::uint64_t row = 0; row < dataset.rows(); ++row) {
    const auto code = [&](std::uint32_t a) { return dataset.code(row, a); };
    const bool of_x3 = code(3) != missing_code && code(3) > 20;
    const bool expected = of_x3 || !(code(7) == 1 && code(0) <= 9);
    EXPECT_EQ((bits[row / 64] >> row % 64 & 1) != 0, expected) << row;
  }
  EXPECT_FALSE(AntecedentRows(dataset, 100, pool).is_whole());

  const Rule missing = parse_rule("x3 is missing => c5 = l1", dataset.attributes(), "test");
  const Expression* const absent = &missing.antecedent;
  const RowBits without = rows.cover(std::span(&absent, 1))[0];
  for (std::uint64_t row = 0; row < dataset.rows(); ++row) {
    EXPECT_EQ((without[row / 64] >> row % 64 & 1) != 0, dataset.code(row, 3) == missing_code);
  }
}

}  // namespace atl::test
