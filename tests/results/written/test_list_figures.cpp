#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/eval/list_decisions.hpp"
#include "src/results/written/list_figures.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

constexpr std::uint32_t none = missing_value;
const std::vector<Attribute> list_attributes = {
    with_missing(numeric("x", {1, 2, 3})), nominal("c", {"a", "b"}),
    with_missing(nominal("class", {"no", "perhaps", "yes"}))};
constexpr std::uint32_t no = 0, perhaps = 1, yes = 2;

Dataset small_table() {
  return make_dataset(list_attributes, {{0, 0, 1, 1, 2, 2, none, none},
                                        {0, 1, 0, 1, 0, 1, 0, 1},
                                        {no, no, yes, yes, yes, none, perhaps, no}});
}

const Expression x_not_1({Op::comparison, Op::negation}, {Comparison{0, 0, 0, false}});
const RuleSet list{{{Expression::of({0, 0, 0, false}), no},   // x = 1: rows 0, 1
                    {Expression::of({1, 1, 1, false}), yes},  // c = b: rows 1, 3, 5, 7
                    {x_not_1, perhaps}},                      // NOT x = 1: rows 2 to 7
                   yes};

std::vector<std::uint32_t> column(const Dataset& data, std::uint32_t attribute) {
  std::vector<std::uint32_t> codes;
  for (std::uint64_t row = 0; row < data.rows(); ++row) codes.push_back(data.code(row, attribute));
  return codes;
}

TEST(ListDecisions, TheFirstRuleThatCoversARowDecides) {
  const Dataset data = small_table();
  EXPECT_EQ(deciding_rules(list, data), (std::vector<std::uint32_t>{0, 0, 2, 1, 2, 1, 2, 1}));
  const RuleSet shorter{{list.rules[1]}, no};
  EXPECT_EQ(deciding_rules(shorter, data), (std::vector<std::uint32_t>{1, 0, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(deciding_rules({{}, no}, data), std::vector<std::uint32_t>(8, 0));
  EXPECT_EQ(deciding_rules({{{{}, no}}, yes}, data), std::vector<std::uint32_t>(8, 0));
  // A code that the table does not have, of a value seen elsewhere.
  const RuleSet unseen{
      {{Expression::of({1, 2, 2, false}), no}, {Expression::of({0, 3, 3, true}), yes}}, no};
  EXPECT_EQ(deciding_rules(unseen, data), (std::vector<std::uint32_t>{1, 1, 1, 1, 1, 1, 2, 2}));
}

TEST(ListDecisions, CountsAreByClassAndRule) {
  const Dataset data = small_table();
  const RuleSetCounts counts = count_classes(list, data, column(data, 2), 3);
  EXPECT_EQ(counts.covered, (std::vector<std::uint64_t>{2, 0, 0, 2, 0, 1, 1, 1, 3}));
  EXPECT_EQ(counts.decided, (std::vector<std::uint64_t>{2, 0, 0, 1, 0, 1, 0, 1, 2, 0, 0, 0}));
}

TEST(ListFigures, ByHand) {
  const Dataset data = small_table();
  const RuleSetCounts counts = count_classes(list, data, column(data, 2), 3);
  const std::vector<ListRuleFigures> expected = {
      {2, 2, 2, 2, 2, 2}, {3, 1, 2, 1, 4, 3}, {5, 1, 3, 1, 7, 4}, {7, 3, 0, 0, 7, 4}};
  EXPECT_EQ(rule_figures(list, counts), expected);
  const ConfusionMatrix matrix = confusion_matrix(list, counts);
  EXPECT_EQ(matrix.rows(), 7U);
  EXPECT_EQ(matrix.correct(), 4U);
  EXPECT_EQ(matrix.at(no, yes), 1U);
  EXPECT_EQ(matrix.at(yes, perhaps), 2U);
  EXPECT_EQ(matrix.at(perhaps, perhaps), 1U);
}

TEST(ListFigures, ClassesThatTheListDoesNotKnowAreNeverCorrect) {
  const JointClasses joint =
      join_classes(list_attributes[2], nominal("class", {"maybe", "no", "yes", "zebra"}));
  EXPECT_EQ(joint.labels, (std::vector<std::string>{"no", "perhaps", "yes", "maybe", "zebra"}));
  EXPECT_EQ(joint.codes, (std::vector<std::uint32_t>{3, 0, 2, 4}));
  const Dataset data = small_table();
  const std::vector<std::uint32_t> rows = {0, 3, 3, 4, 4, 2, none, 2};
  const RuleSetCounts counts = count_classes(list, data, rows, joint.labels.size());
  const ConfusionMatrix matrix = confusion_matrix(list, counts);
  EXPECT_EQ(matrix.classes(), 5U);
  EXPECT_EQ(matrix.rows(), 7U);
  EXPECT_EQ(matrix.correct(), 3U);
  EXPECT_EQ(matrix.actual(3), 2U);
  EXPECT_EQ(rule_figures(list, counts).back().correct_so_far, 3U);
}

TEST(ListDecisions, AgreeWithTheDefinitionOnRandomTables) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const std::uint64_t rows = seed % 5 == 0 ? 5000 : 1 + seed % 200;
    const RandomTable table = random_table(seed, rows, 4, true);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    RandomStream stream({seed, 5, 0, 0, Purpose::test});
    const RuleSet random = random_rule_set(stream, table.attributes, 0, 6);
    const std::size_t classes = table.attributes[0].distinct();
    const auto deciding = deciding_rules(random, data);
    RuleSetCounts expected;
    expected.covered.resize(random.rules.size() * classes);
    expected.decided.resize((random.rules.size() + 1) * classes);
    for (std::uint64_t r = 0; r < rows; ++r) {
      std::vector<std::uint32_t> row;
      for (const auto& codes : table.columns) row.push_back(codes[r]);
      std::size_t first = random.rules.size();
      for (std::size_t i = random.rules.size(); i-- > 0;) {
        if (!holds(random.rules[i].antecedent, row)) continue;
        first = i;
        if (row[0] != none) ++expected.covered[i * classes + row[0]];
      }
      RC_ASSERT(deciding[r] == first);
      if (row[0] != none) ++expected.decided[first * classes + row[0]];
    }
    const RuleSetCounts counts = count_classes(random, data, table.columns[0], classes);
    RC_ASSERT(counts == expected);
    const auto figures = rule_figures(random, counts);
    RC_ASSERT(figures.back().correct_so_far == confusion_matrix(random, counts).correct());
    RC_ASSERT(figures.back().decided_so_far == figures.back().covered);
  }));
}

}  // namespace
}  // namespace atl::test
