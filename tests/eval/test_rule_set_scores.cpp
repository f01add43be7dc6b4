// The contract of scoring decision lists, for every kind of device.
#include <algorithm>

#include <gtest/gtest.h>

#include "src/data/class_folds.hpp"
#include "tests/eval/backend.hpp"
#include "tests/eval/random_lists.hpp"

namespace atl::test {
namespace {

std::vector<RuleSetCounts> counts_of(RuleSetScorer& scorer, std::span<const RuleSet> lists,
                                     const ScoringOptions& options = {}) {
  scorer.prepare(lists, options);
  scorer.start();
  scorer.finish();
  std::vector<RuleSetCounts> counts(lists.size());
  scorer.read(counts);
  return counts;
}

void add_to(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

// Eight rows:     row  0  1  2  3  4  5  6  7
//   size (numeric)     0  1  2  3  4  -  2  1
//   colour             0  1  1  0  2  1  -  0
//   class              0  0  1  1  2  0  1  -
Dataset labelled_shop() {
  Attribute size;
  size.name = "size";
  size.has_missing = true;
  size.low = size.high = {1, 2, 3, 5, 8};
  Attribute colour;
  colour.name = "colour";
  colour.kind = AttributeKind::nominal;
  colour.has_missing = true;
  colour.labels = {"blue", "green", "red"};
  Attribute label;
  label.name = "class";
  label.kind = AttributeKind::nominal;
  label.has_missing = true;
  label.labels = {"a", "b", "c"};
  return make_dataset({size, colour, label}, {{0, 1, 2, 3, 4, missing_code, 2, 1},
                                              {0, 1, 1, 0, 2, 1, missing_code, 0},
                                              {0, 0, 1, 1, 2, 0, 1, missing_code}});
}

constexpr Comparison size_from_3{0, 2, 4, false};
constexpr Comparison is_green{1, 1, 1, false};

TEST(RuleSetScores, OfOneListByHand) {
  const Dataset data = labelled_shop();
  const auto resident = load(data);
  const auto scorer = resident->rule_set_scorer({.class_attribute = 2});
  EXPECT_EQ(scorer->class_rows({}), (std::vector<std::uint64_t>{3, 3, 1}));
  // size >= 3 has the rows 2 3 4 6; green has 1 2 5, of which 2 is decided before.
  const RuleSet list{{{Expression::of(size_from_3), 1}, {Expression::of(is_green), 0}}, 2};
  const auto counts = counts_of(*scorer, std::vector{list});
  EXPECT_EQ(counts[0].covered, (std::vector<std::uint64_t>{0, 3, 1, 2, 1, 0}));
  EXPECT_EQ(counts[0].decided, (std::vector<std::uint64_t>{0, 3, 1, 2, 0, 0, 1, 0, 0}));
}

TEST(RuleSetScores, NotIsTwoValuedAndAnEmptyAntecedentCoversEveryRow) {
  const Dataset data = labelled_shop();
  const auto resident = load(data);
  const auto scorer = resident->rule_set_scorer({.class_attribute = 2});
  const Expression not_green({Op::comparison, Op::negation}, {is_green});  // rows 0 3 4 6
  const RuleSet list{{{not_green, 1}, {Expression(), 0}, {Expression::of(is_green), 0}}, 2};
  const auto counts = counts_of(*scorer, std::vector{list});
  EXPECT_EQ(counts[0].covered, (std::vector<std::uint64_t>{1, 2, 1, 3, 3, 1, 2, 1, 0}));
  EXPECT_EQ(counts[0].decided, (std::vector<std::uint64_t>{1, 2, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(RuleSetScores, AWindowIsAFold) {
  const Dataset data = labelled_shop();
  const auto resident = load(data);
  const auto scorer = resident->rule_set_scorer({.class_attribute = 2, .windows = 2, .seed = 7});
  const auto folds = class_folds(data, 2, 2, 7);
  std::vector<std::uint64_t> rows(3), green(3);
  for (std::uint64_t row = 0; row < data.rows(); ++row) {
    const std::uint32_t label = data.code(row, 2);
    if (folds[row] != 0 || label == missing_code) continue;
    ++rows[label];
    if (data.code(row, is_green.attribute) == is_green.low) ++green[label];
  }
  EXPECT_EQ(scorer->class_rows(0), rows);
  const auto counts =
      counts_of(*scorer, std::vector{RuleSet{{{Expression::of(is_green), 0}}, 1}}, {.window = 0});
  EXPECT_EQ(counts[0].covered, green);
}

TEST(RuleSetScores, RefusesListsThatDoNotFit) {
  const Dataset data = labelled_shop();
  const auto resident = load(data);
  const auto scorer = resident->rule_set_scorer({.class_attribute = 2});
  const RuleSet good{{{Expression::of(is_green), 0}}, 1};
  const auto expect_unfit = [&](const RuleSet& list) {
    try {
      scorer->prepare(std::vector{good, list}, {});
      FAIL();
    } catch (const UnfitList& error) {
      EXPECT_EQ(error.list, 1U);
    }
  };
  expect_unfit({{{Expression::of(is_green), 3}}, 1});
  expect_unfit({{{Expression::of(is_green), 0}}, 3});
  expect_unfit({{{Expression::of({2, 0, 0, false}), 0}}, 0});
  const RuleSet unknown{{{Expression::of({3, 0, 0, false}), 0}}, 0};
  EXPECT_THROW(scorer->prepare(std::vector{unknown}, {}), UnknownAttribute);
  EXPECT_EQ(counts_of(*scorer, std::vector{good})[0].covered,
            (std::vector<std::uint64_t>{2, 1, 0}));
}

TEST(RuleSetScores, NoListsAndNoRulesAndNoRows) {
  const Dataset data = labelled_shop();
  const auto resident = load(data);
  const auto scorer = resident->rule_set_scorer({.class_attribute = 2});
  EXPECT_TRUE(counts_of(*scorer, {}).empty());
  for (const bool staged : {false, true}) {
    const auto counts = counts_of(*scorer, std::vector<RuleSet>{{{}, 1}}, {{}, staged});
    EXPECT_TRUE(counts[0].covered.empty());
    EXPECT_EQ(counts[0].decided, (std::vector<std::uint64_t>{3, 3, 1}));
  }
  const Attribute label = data.attributes()[2];
  const Dataset none = make_dataset({data.attributes()[1], label}, {{}, {}});
  const auto empty = load(none)->rule_set_scorer({.class_attribute = 1});
  const RuleSet list{{{Expression::of({0, 1, 1, false}), 0}}, 1};
  EXPECT_EQ(counts_of(*empty, std::vector{list})[0].decided, std::vector<std::uint64_t>(6));
}

class RuleSetScoresOfRows : public testing::TestWithParam<std::uint64_t> {};

// What the reference says, fused and staged, of all rows and of each window, whose sum all are.
TEST_P(RuleSetScoresOfRows, AreThoseOfTheReference) {
  const std::uint64_t rows = GetParam();
  constexpr std::uint32_t class_counts[] = {1, 2, 3, 10, 30};
  for (std::uint32_t round = 0; round < std::size(class_counts); ++round) {
    const RandomTable table = classified_table(rows + round, rows, class_counts[round], round != 1);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    const ClassifiedRows classified{8, 1 + round};
    const auto resident = load(data);
    const auto scorer = resident->rule_set_scorer(classified);
    const auto reference = make_reference_rule_set_scorer(data, classified);
    const auto lists = random_lists(round, rows > 1000 ? 6 : 12, data.attributes(),
                                    rows > 1000 && round != 4 ? 10 : 40);
    const auto expected = counts_of(*reference, lists);
    EXPECT_EQ(counts_of(*scorer, lists), expected);
    EXPECT_EQ(counts_of(*scorer, lists, {{}, true}), expected);
    EXPECT_EQ(scorer->class_rows({}), reference->class_rows({}));
    std::vector<RuleSetCounts> sums(lists.size());
    for (std::uint32_t w = 0; w < classified.windows; ++w) {
      const auto of_window = counts_of(*scorer, lists, {w, w % 2 == 1});
      EXPECT_EQ(of_window, counts_of(*reference, lists, {w}));
      EXPECT_EQ(scorer->class_rows(w), reference->class_rows(w));
      for (std::size_t l = 0; l < lists.size(); ++l) {
        add_to(sums[l].covered, of_window[l].covered);
        add_to(sums[l].decided, of_window[l].decided);
      }
    }
    EXPECT_EQ(sums, expected);
  }
}
INSTANTIATE_TEST_SUITE_P(Counts, RuleSetScoresOfRows,
                         testing::Values(1, 31, 32, 33, 63, 64, 65, 1025, 4095, 4097, 9000));

std::vector<DecidedCount> decided_in(const std::vector<RuleSetCounts>& lists,
                                     std::uint32_t classes) {
  std::vector<DecidedCount> decided;
  std::uint32_t place = 0;
  for (const RuleSetCounts& counts : lists) {
    for (const std::uint64_t rows : counts.decided) {
      if (rows != 0) decided.push_back({place / classes, place % classes, rows});
      ++place;
    }
  }
  return decided;
}

// More than one group of lists has room for, in batches of other sizes one after the other.
TEST(RuleSetScores, OfManyListsAreThoseOfTheReference) {
  const RandomTable table = classified_table(7, 700, 4, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096);
  const auto resident = load(data);
  const auto scorer = resident->rule_set_scorer({8});
  const auto reference = make_reference_rule_set_scorer(data, {8});
  for (const std::size_t count : {1U, 300U, 40U}) {
    const auto lists = random_lists(count, count, data.attributes(), 20);
    const auto expected = counts_of(*reference, lists);
    EXPECT_EQ(counts_of(*scorer, lists), expected);
    EXPECT_EQ(counts_of(*scorer, lists, {{}, true}), expected);
    scorer->prepare(lists, {});
    scorer->start();
    scorer->finish();
    std::vector<DecidedCount> decided;
    scorer->read_decided(decided);
    std::sort(decided.begin(), decided.end());
    EXPECT_EQ(decided, decided_in(expected, 4));
  }
}

TEST(RuleSetScores, StagesAreTimed) {
  const RandomTable table = classified_table(3, 5000, 3, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096);
  const auto resident = load(data);
  const auto scorer = resident->rule_set_scorer({8});
  const auto lists = random_lists(3, 20, data.attributes(), 10);
  counts_of(*scorer, lists);
  EXPECT_FALSE(scorer->stage_seconds());
  counts_of(*scorer, lists, {{}, true});
  const auto seconds = scorer->stage_seconds();
  if (backend_name() == "reference") {
    EXPECT_FALSE(seconds);
    return;
  }
  ASSERT_TRUE(seconds);
  for (const double stage :
       {seconds->coverage, seconds->rule_fitness, seconds->classification, seconds->set_fitness}) {
    EXPECT_GT(stage, 0);
  }
}

}  // namespace
}  // namespace atl::test
