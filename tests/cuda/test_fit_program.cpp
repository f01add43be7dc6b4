#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/host/fit_program.hpp"

namespace atl::cuda::test {
namespace {

Attribute numbers(std::uint32_t codes, bool may_miss) {
  Attribute attribute;
  attribute.low.resize(codes);
  attribute.high.resize(codes);
  attribute.has_missing = may_miss;
  return attribute;
}

/// Grows by no more than it must.
class Words final : public FitWords {
 public:
  std::span<std::uint32_t> grow(std::size_t words, std::size_t used) override {
    std::vector<std::uint32_t> larger(words);
    std::copy_n(words_.begin(), used, larger.begin());
    words_ = std::move(larger);
    return words_;
  }
  template <typename T>
  T at(std::size_t word) const {
    T value;
    std::memcpy(&value, words_.data() + word, sizeof value);
    return value;
  }

 private:
  std::vector<std::uint32_t> words_;
};

struct FitProgramTest : testing::Test {
  FitPart part(std::size_t group, std::uint32_t number) const {
    return words.at<FitPart>(begin(group) + 7 + number * 4);
  }
  FitTrial trial(std::size_t group, std::uint32_t number) const {
    const auto parts = words.at<FitGroup>(begin(group)).parts;
    return words.at<FitTrial>(begin(group) + 7 + parts * 4 + number * 7);
  }
  FitComparison comparison(std::size_t group, const FitPart& of, std::uint32_t number) const {
    return words.at<FitComparison>(begin(group) + of.comparisons + number * 3);
  }
  std::uint32_t begin(std::size_t group) const { return words.at<std::uint32_t>(group); }
  void build(std::span<const IntervalGroup> groups, std::uint32_t rows = 9000) {
    program.build(groups, columns, rows, words);
  }

  const std::vector<Attribute> attributes = {numbers(4, false), numbers(4, true),
                                             numbers(256, false), numbers(65536, false),
                                             numbers(1, false)};
  const std::vector<FitColumn> columns = fit_columns(attributes, 9000);
  FitProgram program;
  Words words;
};

TEST_F(FitProgramTest, ColumnsHaveRoomForMissingValuesOnlyIfThereAreAny) {
  EXPECT_EQ(columns[0].planes, 2U);
  EXPECT_EQ(columns[1].planes, 3U);
  EXPECT_EQ(columns[2].planes, 8U);
  EXPECT_EQ(columns[4].planes, 0U);
  EXPECT_EQ(columns[2].column, 4U);  // two steps of each before it
  EXPECT_EQ(columns[4].column, 8U);  // two bytes a code, and none of what is not there
  EXPECT_EQ(columns[4].first_plane, 13U);
  EXPECT_TRUE(columns[2].two_bytes());
  EXPECT_FALSE(columns[3].on_device());
}

TEST_F(FitProgramTest, TrialsThatLookAtTheSameRowsAreOnePart) {
  const std::vector<Comparison> rest = {{0, 1, 2}, {2, 5, 9}}, equal = rest, goal = {{1, 0, 0}};
  const std::vector<Comparison> shorter = {{2, 5, 9}};
  std::vector<std::optional<IntervalTrial>> trials(6);
  trials[1] = {.attribute = 4, .rest = rest, .positives = goal};
  trials[2] = {.attribute = 0, .rest = rest, .positives = goal};
  trials[3] = {.attribute = 4, .rest = equal, .positives = goal, .edges = {}};
  trials[5] = {.attribute = 0, .rest = shorter, .positives = goal, .share = PositiveShare{1, 3}};
  const std::vector<IntervalGroup> groups = {{}, {trials, 20'000, 512}};
  build(groups);
  EXPECT_EQ(program.groups().size(), 2U);
  EXPECT_EQ(words.at<FitGroup>(begin(0)).trials, 0U);
  const auto group = words.at<FitGroup>(begin(1));
  EXPECT_EQ(group.rows, 9000U);
  EXPECT_EQ(group.rows_to_compare, 512U);
  EXPECT_EQ(group.empty[0], 0U);
  EXPECT_EQ(group.empty[1], 4U);
  ASSERT_EQ(group.parts, 2U);
  EXPECT_EQ(part(1, 0).rest, 2U);
  EXPECT_EQ(part(1, 1).rest, 1U);  // that on the trial's own attribute is ignored
  EXPECT_EQ(part(1, 0).trials, 2U);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < group.trials; ++i) numbers.push_back(trial(1, i).number);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 3, 2, 5}));
  const auto share = words.at<FitShare>(begin(1) + trial(1, 3).share);
  EXPECT_EQ(share.positives[0], 1U);
  EXPECT_EQ(share.rows[0], 3U);
  EXPECT_EQ(begin(2), program.words());
}

TEST_F(FitProgramTest, ANegatedComparisonExcludesMissingValues) {
  const std::vector<Comparison> rest = {{0, 1, 2, true}, {1, 1, 2, true}};
  const std::vector<std::optional<IntervalTrial>> trials = {
      IntervalTrial{.attribute = 2, .rest = rest}};
  build(std::vector<IntervalGroup>{{trials}});
  const FitPart of = part(0, 0);
  ASSERT_EQ(of.rest, 3U);
  EXPECT_EQ(comparison(0, of, 0).negated, 1U);
  EXPECT_EQ(comparison(0, of, 1).negated, 1U);
  EXPECT_EQ(comparison(0, of, 2).negated, 0U);
  EXPECT_EQ(comparison(0, of, 2).high, 3U);
}

TEST_F(FitProgramTest, GroupsOfAttributesThatAreNotThereAreLeftToOthers) {
  const std::vector<Comparison> many = {{3, 1, 2}};
  const std::vector<std::optional<IntervalTrial>> own = {IntervalTrial{.attribute = 3}};
  const std::vector<std::optional<IntervalTrial>> rest = {
      IntervalTrial{.attribute = 0, .rest = many}};
  const std::vector<std::optional<IntervalTrial>> none = {IntervalTrial{.attribute = 2}};
  build(std::vector<IntervalGroup>{{own}, {none}, {rest}});
  EXPECT_EQ(std::vector(program.groups().begin(), program.groups().end()),
            (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(std::vector(program.others().begin(), program.others().end()),
            (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(program.most_codes(), 256U);
}

TEST_F(FitProgramTest, GainsAreWideForManyRowsOrLargeShares) {
  std::vector<std::optional<IntervalTrial>> trials = {IntervalTrial{.attribute = 0}};
  const std::vector<IntervalGroup> groups = {{trials}};
  build(groups, 2'000'000);
  EXPECT_FALSE(program.wide());
  build(groups, 2'000'001);
  EXPECT_TRUE(program.wide());
  trials[0]->share = PositiveShare{1, std::int64_t{1} << 50};
  build(groups);
  EXPECT_TRUE(program.wide());
}

}  // namespace
}  // namespace atl::cuda::test
