// The contract of growing rules, for every kind of device.
#include <algorithm>

#include <gtest/gtest.h>

#include "src/core/parallel.hpp"
#include "tests/eval/backend.hpp"
#include "tests/eval/growth_tasks.hpp"

namespace atl::test {
namespace {

/// Grown by the device and by the reference.
void expect_equal(const GrowthCase& of, std::size_t least_grown = 1) {
  const GrowthBatch batch(of);
  const auto resident = load(batch.data());
  const auto grower = resident->rule_grower(batch.sample(), batch.settings());
  const auto reference = make_reference_rule_grower(batch.data(), batch.sample(), batch.settings());
  const auto expected = grown_by(*reference, batch.tasks());
  const auto grown = grown_by(*grower, batch.tasks());
  for (std::size_t t = 0; t < expected.size(); ++t) {
    EXPECT_EQ(grown[t], expected[t]) << "task " << t;
  }
  const auto count =
      std::count_if(grown.begin(), grown.end(), [](const auto& its) { return its.has_value(); });
  EXPECT_GE(count, static_cast<std::ptrdiff_t>(least_grown));
}

// Twelve rows:   row  0  1  2  3  4  5  6  7  8  9 10 11
//   size (numeric)    0  1  2  3  4  4  3  2  1  0  -  4
//   class             0  0  0  1  1  1  1  0  0  0  0  0
struct Shop {
  Shop() {
    Attribute size;
    size.name = "size";
    size.has_missing = true;
    size.low = size.high = {1, 2, 3, 5, 8};
    Attribute label;
    label.name = "class";
    label.kind = AttributeKind::nominal;
    label.labels = {"a", "b"};
    data = make_dataset({size, label}, {{0, 1, 2, 3, 4, 4, 3, 2, 1, 0, missing_code, 4},
                                        {0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0}});
    sample = std::make_shared<const ClassSample>(data, 1, ClassSample::Options{});
    settings.weights = {1, 1};
    settings.costs = {{0.5, 0.5}};
  }
  std::optional<Grown> grown(const GrowthTask& task) const {
    return grown_by(*load(data)->rule_grower(sample, settings), {&task, 1})[0];
  }
  Dataset data = make_dataset({}, {});
  std::shared_ptr<const ClassSample> sample;
  GrowthSettings settings;
};

TEST(RuleGrowth, FindsTheBoundByHand) {
  const Shop shop;
  GrowthTask task;
  task.drawn = 0.5;  // only b is classified wrong by the default
  const auto grown = shop.grown(task);
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->label, 1U);
  EXPECT_EQ(grown->antecedent, Expression::of({0, 3, 4, false}));
}

TEST(RuleGrowth, LooksAtTheRowsThatReachTheGap) {
  const Shop shop;
  const std::vector<SharedRule> rules = {
      sampled({Expression::of({0, 4, 4, false}), 1}, *shop.sample)};
  // Size 8 is decided before: what is wrong of the rest has size 5.
  GrowthTask task;
  task.before = rules;
  const auto grown = shop.grown(task);
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->label, 1U);
  EXPECT_EQ(grown->antecedent, Expression::of({0, 3, 4, false}));
  // Behind the gap: one row of a is wrong, too, which cannot be told from two of b that are right.
  task.before = {};
  task.behind = rules;
  task.drawn = 0.3;  // of one row of a and two of b
  EXPECT_EQ(shop.grown(task), std::nullopt);
  task.drawn = 0.4;
  EXPECT_EQ(shop.grown(task)->label, 1U);
}

TEST(RuleGrowth, PureRulesLoseWhatIsWrongAnyway) {
  const Shop shop;
  const std::vector<SharedRule> rules = {
      sampled({Expression::of({0, 4, 4, false}), 1}, *shop.sample)};
  // Of size 5 two rows of b are wrong. Of size 8 two of b are right and one of a is wrong.
  GrowthTask task;
  task.behind = rules;
  task.label = 1;
  const auto grown = shop.grown(task);
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->antecedent, Expression::of({0, 3, 4, false}));
  task.counted = CountedRows::pure;
  const auto pure = shop.grown(task);
  ASSERT_TRUE(pure);
  EXPECT_EQ(pure->antecedent, Expression::of({0, 3, 3, false}));
}

TEST(RuleGrowth, WhereAllRowsCountWhatIsRightCountsToo) {
  const Shop shop;
  GrowthTask task;
  task.default_class = 1;
  task.label = 1;
  EXPECT_EQ(shop.grown(task), std::nullopt);  // all of b are right by the default
  task.counted = CountedRows::all;
  const auto grown = shop.grown(task);  // gains four of b and loses one of a, which weighs 4/8
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->antecedent, Expression::of({0, 3, 4, false}));
  // Two classes are drawn alike.
  task.label.reset();
  task.drawn = 0.51;
  EXPECT_EQ(shop.grown(task), grown);
  task.drawn = 0.49;
  const auto other = shop.grown(task);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->label, 0U);
  EXPECT_EQ(other->antecedent, Expression::of({0, 0, 2, false}));
  // Only rows of a come to the gap.
  const std::vector<SharedRule> rules = {
      sampled({Expression::of({0, 3, 4, false}), 1}, *shop.sample)};
  task.before = rules;
  for (const std::optional<std::uint32_t> label : {std::optional<std::uint32_t>(), {0U}, {1U}}) {
    task.label = label;
    EXPECT_EQ(shop.grown(task), std::nullopt);
  }
}

TEST(RuleGrowth, NothingWhereNothingIsWrong) {
  const Shop shop;
  const std::vector<SharedRule> rules = {
      sampled({Expression::of({0, 3, 3, false}), 1}, *shop.sample),
      sampled({Expression::of({0, 4, 4, false}), 1}, *shop.sample)};
  GrowthTask task;
  task.behind = rules;
  task.label = 1;
  EXPECT_EQ(shop.grown(task), std::nullopt);
}

TEST(RuleGrowth, OfNoTasksIsNothing) {
  const Shop shop;
  const auto grower = load(shop.data)->rule_grower(shop.sample, shop.settings);
  EXPECT_TRUE(grown_by(*grower, {}).empty());
}

class RuleGrowthOfRows : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RuleGrowthOfRows, IsThatOfTheReference) {
  const std::uint64_t rows = GetParam();
  constexpr std::uint32_t class_counts[] = {1, 2, 3, 10, 28};
  for (std::uint32_t round = 0; round < std::size(class_counts); ++round) {
    GrowthCase of;
    of.seed = rows + round;
    of.rows = rows;
    of.classes = class_counts[round];
    of.missing = round != 1;
    of.balance = round % 2;
    of.most_rules = round == 4 ? 40 : 10;
    of.tasks = rows > 4000 ? 4 : rows > 1000 ? 15 : 40;
    expect_equal(of, 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Rules, RuleGrowthOfRows,
                         testing::Values(1, 31, 63, 64, 65, 300, 1025, 4097));

// A table of 640 rows whose class changes at one of 640 numbers: between two literals that are
// looked at first.
TEST(RuleGrowth, FindsBoundsNearThoseThatAreLookedAtFirst) {
  constexpr std::uint32_t rows = 640;
  Attribute size, label;
  size.name = "size";
  label.name = "class";
  label.kind = AttributeKind::nominal;
  label.labels = {"a", "b"};
  std::vector<std::uint32_t> sizes, labels;
  constexpr std::uint32_t bound = 300;  // every tenth literal is looked at from the fifth one on
  for (std::uint32_t i = 0; i < rows; ++i) {
    size.low.push_back(i);
    sizes.push_back(i);
    labels.push_back(i < bound ? 0 : 1);
  }
  size.high = size.low;
  const Dataset data = make_dataset({size, label}, {sizes, labels});
  const auto sample = std::make_shared<const ClassSample>(data, 1, ClassSample::Options{});
  GrowthSettings settings;
  settings.weights = {1, 1};
  settings.costs = {{0.5, 0.5}};
  GrowthTask task;
  task.counted = CountedRows::pure;
  task.label = 1;
  const auto grown = grown_by(*load(data)->rule_grower(sample, settings), {&task, 1})[0];
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->antecedent, Expression::of({0, bound, rows - 1, false}));
}

TEST(RuleGrowth, OfManyNumbersIsThatOfTheReference) {
  for (const std::uint32_t numbers : {65U, 129U, 1024U, 2000U}) {
    for (const bool missing : {false, true}) {
      GrowthCase of;
      of.seed = numbers;
      of.rows = 700;
      of.attributes = 2;
      of.classes = missing ? 3 : 2;
      of.missing = missing;
      of.balance = missing ? 1 : 0;
      of.most_rules = 3;
      of.numbers = numbers;
      of.tasks = 6;
      expect_equal(of, 2);
    }
  }
}

TEST(RuleGrowth, InWindowsIsThatOfTheReference) {
  for (const double balance : {0.0, 1.0}) {
    GrowthCase of;
    of.rows = 6000;
    of.classes = 6;
    of.balance = balance;
    of.window_cost = 1000;
    of.tasks = 60;
    expect_equal(of, 10);
  }
}

TEST(RuleGrowth, OfFewAndManyAttributesIsThatOfTheReference) {
  for (const std::uint32_t attributes : {2U, 63U, 64U, 200U}) {
    GrowthCase of;
    of.seed = attributes;
    of.rows = 200;
    of.attributes = attributes;
    of.tasks = 20;
    of.balance = attributes % 2;
    expect_equal(of, 1);
  }
}

TEST(RuleGrowth, OfShortAndLongRulesIsThatOfTheReference) {
  for (const std::uint32_t most : {1U, 2U, 30U}) {
    GrowthCase of;
    of.seed = most;
    of.rows = 700;
    of.most_comparisons = std::max(most, 2U);
    GrowthBatch batch(of);
    GrowthSettings settings = batch.settings();
    settings.most_comparisons = most;
    for (auto& costs : settings.costs) costs.assign(costs.size(), 0);
    const auto resident = load(batch.data());
    const auto grower = resident->rule_grower(batch.sample(), settings);
    const auto reference = make_reference_rule_grower(batch.data(), batch.sample(), settings);
    std::vector<GrowthTask> tasks(batch.tasks().begin(), batch.tasks().end());
    for (GrowthTask& task : tasks) {
      if (most == 30) task.attributes.clear();
    }
    EXPECT_EQ(grown_by(*grower, tasks), grown_by(*reference, tasks));
  }
}

TEST(RuleGrowth, BehindRulesOfAnyShapeIsThatOfTheReference) {
  GrowthCase of;
  of.conjunctions = false;
  of.tasks = 80;
  expect_equal(of, 10);
}

// Batches of other sizes one after the other.
TEST(RuleGrowth, OfManyTasksIsThatOfTheReference) {
  GrowthCase of;
  of.rows = 150;
  of.tasks = 300;
  const GrowthBatch batch(of);
  const auto resident = load(batch.data());
  const auto grower = resident->rule_grower(batch.sample(), batch.settings());
  const auto reference = make_reference_rule_grower(batch.data(), batch.sample(), batch.settings());
  for (const std::size_t count : {1U, 300U, 40U}) {
    const auto tasks = batch.tasks().last(count);
    EXPECT_EQ(grown_by(*grower, tasks), grown_by(*reference, tasks));
  }
}

// Nor does it matter that threads help, and that they help two at a time.
TEST(RuleGrowth, IsTheSameWithTheThreadsOfAPool) {
  GrowthCase of;
  of.rows = 150;
  of.tasks = 60;
  const GrowthBatch batch(of);
  const auto resident = load(batch.data());
  const auto reference = make_reference_rule_grower(batch.data(), batch.sample(), batch.settings());
  const auto expected = grown_by(*reference, batch.tasks());
  ThreadPool pool(3);
  resident->read_with(pool);
  std::vector<std::unique_ptr<RuleGrower>> growers(2);
  for (auto& grower : growers) grower = resident->rule_grower(batch.sample(), batch.settings());
  std::vector<std::vector<std::optional<Grown>>> grown(growers.size());
  for_each_index(&pool, growers.size(),
                 [&](std::size_t i) { grown[i] = grown_by(*growers[i], batch.tasks()); });
  for (const auto& its : grown) EXPECT_EQ(its, expected);
}

}  // namespace
}  // namespace atl::test
