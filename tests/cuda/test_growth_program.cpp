// Growth tasks as they are written for the device.
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/host/growth_program.hpp"

namespace atl::cuda::test {
namespace {

struct GrowthProgramTest : testing::Test {
  GrowthProgramTest() {
    Attribute age;
    age.name = "age";
    for (int year = 0; year < 10; ++year) age.low.push_back(year);
    age.high = age.low;
    age.has_missing = true;
    Attribute colour;
    colour.name = "colour";
    colour.kind = AttributeKind::nominal;
    colour.labels = {"blue", "green", "red"};
    colour.counts = {1, 2, 0};
    Attribute sold;
    sold.name = "sold";
    sold.kind = AttributeKind::nominal;
    sold.labels = {"no", "yes"};
    data = make_dataset({age, colour, sold}, {{0, 5, missing_code}, {0, 1, 1}, {0, 1, 1}});
    ClassSample::Options options;
    options.fold_count = 2;
    const std::vector<std::uint8_t> folds = {0, 1, 1};
    options.folds = folds;
    sample = std::make_shared<const ClassSample>(data, 2, options);
    settings.weights = {1, 1};
    settings.most_comparisons = 3;
  }
  void build(std::span<const GrowthTask> tasks) {
    program.emplace(*sample, settings);
    program->plan(tasks);
    bytes.assign(program->bytes(), std::byte{0xEE});
    program->write(bytes.data());
  }
  template <typename T>
  T at(std::size_t byte) const {
    T value;
    std::memcpy(&value, bytes.data() + byte, sizeof value);
    return value;
  }

  Dataset data = make_dataset({}, {});
  std::shared_ptr<const ClassSample> sample;
  GrowthSettings settings;
  std::optional<GrowthProgram> program;
  std::vector<std::byte> bytes;
};

TEST_F(GrowthProgramTest, AsPinned) {
  // Row sets: nine bounds of age, three colours, age present, all rows, those without each fold.
  const std::vector<SharedRule> rules = {
      sampled({both(Expression::of({0, 3, 6, false}), Expression::of({1, 1, 2, false})), 1},
              *sample),
      sampled({Expression(), 0}, *sample)};
  GrowthTask task;
  task.before = std::span<const SharedRule>(rules).first(1);
  task.behind = std::span<const SharedRule>(rules).last(1);
  task.default_class = 1;
  task.without = 1;
  task.label = 0;
  task.start = {{1, 2, 2, true}};
  task.attributes = {5, 6};
  task.criterion = GrowthCriterion::precision;
  task.prior_rows = 5;
  task.counted = CountedRows::pure;
  const std::vector<GrowthTask> tasks = {task, GrowthTask{}};
  build(tasks);
  ASSERT_EQ(program->tasks().size(), 2U);
  EXPECT_EQ(at<std::uint32_t>(0), 16U);
  EXPECT_EQ(at<std::uint32_t>(4), 16U + 48 + 3 * 16 + 16 + 16);
  const auto head = at<GrowthHead>(16);
  EXPECT_EQ(head.prior_rows, 5);
  EXPECT_EQ(head.criterion, 3U);
  EXPECT_EQ(head.counted, 1U);
  EXPECT_EQ(head.rows, 15U);
  EXPECT_EQ(head.default_class, 1U);
  EXPECT_EQ(head.label, 0U);
  EXPECT_EQ(head.terms, 3U);
  EXPECT_EQ(head.starts, 1U);
  EXPECT_EQ(head.step_words, 2U);
  const auto term = [&](std::size_t number) { return at<GrowthTerm>(16 + 48 + 16 * number); };
  EXPECT_EQ(term(0).first, 6U);  // age <= 6 but not age <= 2
  EXPECT_EQ(term(0).sets_and_rule, before_gap << GrowthTerm::label_shift | 1);
  EXPECT_EQ(term(0).without, 2U);
  EXPECT_EQ(term(0).present, 12U);
  EXPECT_EQ(term(1).first, 9U);  // not blue
  EXPECT_EQ(term(1).sets_and_rule, before_gap << GrowthTerm::label_shift | GrowthTerm::last | 1);
  EXPECT_EQ(term(1).without, no_row_set);
  EXPECT_EQ(term(1).present, 13U | ComparisonRows::negation);
  EXPECT_EQ(term(2).first, 13U);  // everywhere
  EXPECT_EQ(term(2).sets_and_rule, 0U << GrowthTerm::label_shift | GrowthTerm::last | 1);
  const auto start = at<GrowthComparison>(16 + 48 + 3 * 16);
  EXPECT_EQ(start.attribute, 1U);
  EXPECT_EQ(start.low, 2U);
  EXPECT_EQ(start.negated, 1U);
  EXPECT_EQ(at<std::uint64_t>(16 + 48 + 4 * 16 + 8), 6U);
  const auto second = at<GrowthHead>(at<std::uint32_t>(4));
  EXPECT_EQ(second.label, no_label);
  EXPECT_EQ(second.rows, 13U);
  EXPECT_EQ(second.step_words, 0U);
}

TEST_F(GrowthProgramTest, WritesAlternativesAsRulesOfTheirClass) {
  const Expression pair = both(Expression::of({0, 0, 2, false}), Expression::of({1, 0, 0, false}));
  const std::vector<SharedRule> rules = {
      sampled({either(pair, Expression::of({1, 1, 1, false})), 1}, *sample)};
  std::vector<GrowthTask> tasks(1);
  tasks[0].behind = rules;
  build(tasks);
  ASSERT_EQ(program->tasks().size(), 1U);
  EXPECT_EQ(at<GrowthHead>(16).terms, 3U);
  const auto flags = [&](std::size_t number) {
    return at<GrowthTerm>(16 + 48 + 16 * number).sets_and_rule;
  };
  constexpr std::uint32_t own = 1U << GrowthTerm::label_shift | 1;
  EXPECT_EQ(flags(0), own);
  EXPECT_EQ(flags(1), own | GrowthTerm::last);
  EXPECT_EQ(flags(2), own | GrowthTerm::last);
}

TEST_F(GrowthProgramTest, LeavesRulesOfOtherShapesToTheHost) {
  const Expression others =
      both(Expression::of({0, 0, 2, false}),
           either(Expression::of({1, 1, 1, false}), Expression::of({1, 2, 2, false})));
  const std::vector<SharedRule> rules = {sampled({others, 1}, *sample)};
  std::vector<GrowthTask> tasks(3);
  tasks[1].behind = rules;
  build(tasks);
  EXPECT_EQ(std::vector(program->tasks().begin(), program->tasks().end()),
            (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(std::vector(program->others().begin(), program->others().end()),
            (std::vector<std::uint32_t>{1}));
}

TEST_F(GrowthProgramTest, ReadsRulesInCanonicalForm) {
  const std::vector<GrowthTask> tasks(2);
  build(tasks);
  EXPECT_EQ(program->result_bytes(), 16U + 3 * 16);
  std::vector<std::byte> results(2 * program->result_bytes());
  const GrowthResult result{1, 2, {0, 0}};
  const GrowthComparison comparisons[] = {{1, 0, 0, 1}, {0, 4, 9, 0}};
  std::memcpy(results.data() + program->result_bytes(), &result, sizeof result);
  std::memcpy(results.data() + program->result_bytes() + sizeof result, comparisons,
              sizeof comparisons);
  std::vector<std::optional<Grown>> grown(2, Grown{});
  program->read(results.data(), grown);
  EXPECT_EQ(grown[0], std::nullopt);
  ASSERT_TRUE(grown[1]);
  EXPECT_EQ(grown[1]->label, 1U);
  EXPECT_EQ(grown[1]->antecedent,
            both(Expression::of({0, 4, 9, false}), Expression::of({1, 1, 2, false})));
}

TEST_F(GrowthProgramTest, DevicesGrowNoRulesOfTooManyComparisons) {
  EXPECT_TRUE(grows_on_device(*sample, settings));
  settings.most_comparisons = most_growth_comparisons + 1;
  EXPECT_FALSE(grows_on_device(*sample, settings));
}

}  // namespace
}  // namespace atl::cuda::test
