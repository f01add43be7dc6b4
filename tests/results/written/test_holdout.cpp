#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/data/split.hpp"
#include "src/measures/significance.hpp"
#include "src/results/written/holdout.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

Attribute yes_or_no(const std::string& name) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::nominal;
  attribute.labels = {"no", "yes"};
  attribute.exact_distinct = 2;
  return attribute;
}

/// a, b and class; `rows` of each of the eight combinations, class changing fastest, b next.
Dataset table(const std::vector<std::uint32_t>& rows) {
  std::vector<std::vector<std::uint32_t>> columns(3);
  for (std::uint32_t i = 0; i < 8; ++i) {
    for (std::uint32_t row = 0; row < rows[i]; ++row) {
      columns[0].push_back(i >> 2);
      columns[1].push_back(i >> 1 & 1);
      columns[2].push_back(i & 1);
    }
  }
  std::vector<Attribute> attributes = {yes_or_no("a"), yes_or_no("b"), yes_or_no("class")};
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    attributes[a].counts.assign(2, 0);
    for (const std::uint32_t code : columns[a]) ++attributes[a].counts[code];
  }
  return make_dataset(std::move(attributes), columns);
}

RuleRecord record(const std::vector<Comparison>& antecedent) {
  RuleRecord out;
  out.rule = {Expression::conjunction(antecedent), Expression::of({2, 1, 1, false})};
  return out;
}

SplitDataset split_by(const HoldoutChoice& choice, std::uint64_t seed, Dataset&& whole) {
  Experiment experiment;
  experiment.holdout = choice;
  experiment.seed = seed;
  ThreadPool pool(2);
  const RowMask held_out = held_out_rows(experiment, whole, pool);
  return split(std::move(whole), held_out, pool);
}

std::string refusal_of(const std::string& setting) {
  try {
    split_by(HoldoutChoice::parse_setting(setting), 0, table({1, 1, 1, 1, 1, 1, 1, 1}));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(HoldOut, DrawsRowsBySeedAndIndexAlone) {
  const RandomTable random = random_table(1, 10'000, 3, true);
  const auto parts = [&](double share, std::uint64_t seed, std::uint32_t partition_rows) {
    HoldoutChoice choice;
    choice.share = share;
    return split_by(choice, seed, make_dataset(random.attributes, random.columns, partition_rows));
  };
  const SplitDataset some = parts(0.3, 7, 4096);
  EXPECT_NEAR(static_cast<double>(some.drawn.rows()), 3000, 200);
  const SplitDataset same = parts(0.3, 7, 8192);
  ASSERT_EQ(same.drawn.rows(), some.drawn.rows());
  for (std::uint64_t row = 0; row < some.drawn.rows(); ++row) {
    ASSERT_EQ(same.drawn.code(row, 1), some.drawn.code(row, 1));
  }
  EXPECT_NE(parts(0.3, 8, 4096).drawn.rows(), some.drawn.rows());
  EXPECT_THROW(parts(1e-9, 7, 4096), UsageError);
}

TEST(HoldOut, TakesRowsByAConditionOrByTheirNumbers) {
  const std::vector<std::uint32_t> rows = {1, 2, 3, 4, 5, 6, 7, 8};
  const SplitDataset yes = split_by(HoldoutChoice::parse("b = yes"), 0, table(rows));
  EXPECT_EQ(yes.drawn.rows(), 3U + 4 + 7 + 8);
  for (std::uint64_t row = 0; row < yes.drawn.rows(); ++row) EXPECT_EQ(yes.drawn.code(row, 1), 1U);
  for (std::uint64_t row = 0; row < yes.rest.rows(); ++row) EXPECT_EQ(yes.rest.code(row, 1), 0U);

  const SplitDataset some = split_by(HoldoutChoice::parse_setting("rows 1,4-6"), 0, table(rows));
  EXPECT_EQ(some.drawn.rows(), 4U);
  EXPECT_EQ(some.rest.rows(), 32U);
  const Dataset whole = table(rows);
  EXPECT_EQ(some.drawn.code(0, 2), whole.code(0, 2));
  EXPECT_EQ(some.drawn.code(3, 1), whole.code(5, 1));
}

TEST(HoldOut, RowNumbersReadBack) {
  const RowMask held_out = {true, false, false, true, true};
  EXPECT_EQ(row_numbers(held_out), "row\n1\n4\n5\n");
  EXPECT_EQ(parse_row_numbers(row_numbers(held_out), "f"), (std::vector<RowRun>{{1, 1}, {4, 5}}));
}

TEST(HoldOut, RefusesWhatTheDataDoNotHave) {
  EXPECT_EQ(refusal_of("c = yes"),
            "--holdout: no attribute 'c', expected one of 'a', 'b', 'class'");
  EXPECT_EQ(refusal_of("b = yess"), "--holdout 'b = yess': no value 'yess', did you mean 'yes'?");
  EXPECT_EQ(refusal_of("rows 9"), "--holdout names row 9, the data have 8 rows");
  EXPECT_EQ(refusal_of("rows 1-8"),
            "--holdout 'rows 1-8' of 8 rows leaves 0 to search and 8 to test");
}

TEST(TestRules, TakesTheGreatestPOverAllGeneralisations) {
  // Class yes, of all: a and b 30 of 40, a alone 20 of 40, b alone 10 of 40, neither 10 of 80.
  const Dataset data = table({70, 10, 30, 10, 20, 20, 10, 30});
  const auto resident = make_reference_device()->load(data);
  const std::vector<RuleRecord> records = {record({{0, 1, 1, false}, {1, 1, 1, false}}),
                                           record({{0, 1, 1, false}}),
                                           record({{0, 0, 0, false}, {1, 1, 1, false}})};
  const auto tests = test_rules(records, data.attributes(), {}, *resident);
  ASSERT_EQ(tests.size(), 3U);
  const auto p = [](const ContingencyTable& t) { return std::exp(log_fisher_p(t)); };
  EXPECT_EQ(tests[0].table, (ContingencyTable{200, 40, 70, 30}));
  EXPECT_NEAR(tests[0].p_value, p({200, 40, 70, 30}), 1e-14);
  // Within a: 40 of 80 rows have b as well, 30 of the 50 with the class.
  EXPECT_NEAR(tests[0].p_productive,
              std::max({p({80, 40, 50, 30}), p({80, 40, 40, 30}), p({200, 40, 70, 30})}), 1e-14);
  EXPECT_GT(tests[0].p_productive, tests[0].p_value);
  EXPECT_NEAR(tests[1].p_productive, tests[1].p_value, 0);
  EXPECT_EQ(tests[2].table, (ContingencyTable{200, 40, 70, 10}));
  EXPECT_GT(tests[2].p_productive, 0.5);  // below independence
  const std::vector<double> larger = {tests[0].p_productive, tests[1].p_productive,
                                      tests[2].p_productive};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(tests[i].p_holm, holm(larger)[i]);
    EXPECT_EQ(tests[i].p_bh, benjamini_hochberg(larger)[i]);
  }
}

TEST(TestRules, AdjustsWithinTheFamilyOfAConsequent) {
  const Dataset data = table({70, 10, 30, 10, 20, 20, 10, 30});
  const auto resident = make_reference_device()->load(data);
  std::vector<RuleRecord> records = {record({{0, 1, 1, false}, {1, 1, 1, false}}),
                                     record({{0, 1, 1, false}}), record({{0, 0, 0, false}}),
                                     record({{1, 0, 0, false}})};
  for (const std::size_t i : {1U, 3U})
    records[i].rule.consequent = Expression::of({2, 0, 0, false});
  const auto tests = test_rules(records, data.attributes(), {}, *resident, TestFamily::consequent);
  for (const std::size_t first : {0U, 1U}) {
    const std::vector<double> p = {
        std::max(tests[first].p_value, tests[first].p_productive),
        std::max(tests[first + 2].p_value, tests[first + 2].p_productive)};
    for (const std::size_t i : {0U, 1U}) {
      EXPECT_EQ(tests[first + 2 * i].p_holm, holm(p)[i]);
      EXPECT_EQ(tests[first + 2 * i].p_bh, benjamini_hochberg(p)[i]);
    }
  }
  const auto together = test_rules(records, data.attributes(), {}, *resident);
  EXPECT_EQ(together[0].p_value, tests[0].p_value);
  EXPECT_GT(together[0].p_holm, tests[0].p_holm) << "one of four, not of two";
}

TEST(TestRules, OfNoRulesGivesNone) {
  const Dataset data = table({1, 1, 1, 1, 1, 1, 1, 1});
  const auto resident = make_reference_device()->load(data);
  EXPECT_TRUE(test_rules({}, data.attributes(), {}, *resident).empty());
}

}  // namespace
}  // namespace atl::test
