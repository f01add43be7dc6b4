// The contract of fits where it is easily broken: many codes, equal gains, long rests, many rows.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/eval/backend.hpp"
#include "tests/eval/interval_groups.hpp"

namespace atl::test {
namespace {

constexpr IntervalRows every_row{.most = 1U << 31, .enough = 1U << 31};

Attribute numbers(std::uint32_t codes, bool may_miss) {
  Attribute attribute;
  attribute.name = "of " + std::to_string(codes);
  for (std::uint32_t code = 0; code < codes; ++code) attribute.low.push_back(code);
  attribute.high = attribute.low;
  attribute.counts.assign(codes, 0);
  attribute.exact_distinct = codes;
  attribute.has_missing = may_miss;
  return attribute;
}

/// Attributes of so many codes that say something about each other. One in three lacks values.
Dataset related(std::uint64_t rows, std::span<const std::uint32_t> codes) {
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> columns;
  RandomStream stream({rows, 1, 0, 0, Purpose::test});
  std::vector<double> hidden(rows);
  for (double& value : hidden) value = stream.next_double();
  for (const std::uint32_t distinct : codes) {
    const bool may_miss = attributes.size() % 3 == 1;
    attributes.push_back(numbers(distinct, may_miss));
    auto& column = columns.emplace_back();
    for (const double value : hidden) {
      const double other = stream.chance(0.5) ? value : stream.next_double();
      const auto code = static_cast<std::uint32_t>(other * distinct);
      column.push_back(may_miss && stream.chance(0.1) ? missing_code : code);
    }
  }
  return make_dataset(attributes, columns);
}

struct Shape {
  std::size_t groups, trials;
  std::uint64_t rest;  ///< comparisons, at most
  std::vector<std::size_t> rows = {200, 4000}, rows_to_compare = {0, 50, 600};
};

/// One that holds on most rows.
Comparison draw_loose(RandomStream& stream, std::span<const Attribute> attributes) {
  const auto attribute = static_cast<std::uint32_t>(stream.below(attributes.size()));
  const std::uint32_t distinct = attributes[attribute].distinct();
  if (distinct < 8 || stream.chance(0.3)) {
    const auto code = static_cast<std::uint32_t>(stream.below(distinct));
    return {attribute, code, code, true};
  }
  const auto edge = [&] { return static_cast<std::uint32_t>(stream.below(distinct / 8 + 1)); };
  const std::uint32_t low = edge();
  return {attribute, low, distinct - 1 - edge(), false};
}

/// Most trials of a group look at the same rows; they may not know of each other.
Groups draw_groups(RandomStream& stream, std::span<const Attribute> attributes,
                   const Shape& shape) {
  Groups drawn;
  for (std::size_t g = 0; g < shape.groups; ++g) {
    std::vector<OwnedTrial>& own = drawn.owned.emplace_back();
    for (std::size_t t = 0; t < shape.trials; ++t) {
      OwnedTrial& one = own.emplace_back(draw_trial(stream, attributes));
      if (t == 0 || stream.chance(0.2)) {
        one.rest.clear();
        for (std::uint64_t i = stream.below(shape.rest + 1); i > 0; --i)
          one.rest.push_back(stream.chance(0.2) ? draw_comparison(stream, attributes)
                                                : draw_loose(stream, attributes));
      } else if (stream.chance(0.2)) {
        one.rest = own.front().rest;
        one.positives = own.front().positives;
      } else {
        one.as_first = true;
      }
    }
  }
  drawn.refer(stream);
  for (IntervalGroup& group : drawn.groups) {
    group.rows = shape.rows[stream.below(shape.rows.size())];
    group.rows_to_compare = shape.rows_to_compare[stream.below(shape.rows_to_compare.size())];
  }
  if (shape.trials != 1) return drawn;
  // A group of one trial has that one.
  for (std::size_t g = 0; g < shape.groups; ++g) drawn.trials[g][0] = drawn.owned[g][0].trial;
  return drawn;
}

std::size_t expect_fits(const Dataset& data, const IntervalRows& rows, const Shape& shape,
                        std::uint32_t slots = 2) {
  return expect_fits_of_reference(data, rows, slots, [&](RandomStream& stream) {
    return draw_groups(stream, data.attributes(), shape);
  });
}

TEST(HardIntervalFits, OfAnyNumberOfCodes) {
  const Dataset few = related(3000, std::vector<std::uint32_t>{2, 255, 256, 257, 300, 513});
  EXPECT_GT(expect_fits(few, every_row, {20, 16, 4}), 20U);
  const Dataset many = related(1000, std::vector<std::uint32_t>{5000, 65535, 9, 2000});
  EXPECT_GT(expect_fits(many, every_row, {8, 6, 2}), 8U);
}

TEST(HardIntervalFits, OfMoreCodesThanTwoBytesHold) {
  const Dataset data = related(800, std::vector<std::uint32_t>{70000, 65536, 12, 3, 40});
  EXPECT_GT(expect_fits(data, every_row, {12, 4, 2}), 8U);
}

TEST(HardIntervalFits, OfManyTrialsAndLongRests) {
  const Dataset data = related(9000, std::vector<std::uint32_t>{2, 3, 40, 13, 255, 300});
  EXPECT_GT(expect_fits(data, every_row, {8, 40, 12}), 10U);
  EXPECT_GT(expect_fits(data, {4000, 700}, {8, 16, 12}), 10U);
}

// All kinds of choices gain the same.
TEST(HardIntervalFits, OfEqualGains) {
  constexpr std::uint32_t rows = 1024;
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> columns;
  const auto add = [&](std::uint32_t codes, const auto& code_of) {
    attributes.push_back(numbers(codes, false));
    auto& column = columns.emplace_back();
    for (std::uint32_t row = 0; row < rows; ++row) column.push_back(code_of(row));
  };
  add(2, [](std::uint32_t row) { return row % 2; });
  add(2, [](std::uint32_t row) { return 1 - row % 2; });
  add(2, [](std::uint32_t row) { return row / 2 % 2; });
  add(1, [](std::uint32_t) { return 0U; });
  add(300, [](std::uint32_t) { return 299U; });
  add(300, [](std::uint32_t row) { return row % 2 * 299; });
  add(64, [](std::uint32_t row) { return row % 64; });
  add(64, [](std::uint32_t row) { return 63 - row % 64; });
  add(96, [](std::uint32_t row) { return row % 48 * 2; });
  add(8, [](std::uint32_t row) { return row % 4 + row / 8 % 2 * 4; });
  const Dataset data = make_dataset(attributes, columns);
  EXPECT_GT(expect_fits(data, every_row, {40, 16, 2}, 4), 40U);
}

TEST(HardIntervalFits, OfMoreRowsThanAreListed) {
  const Dataset data = related(100'000, std::vector<std::uint32_t>{2, 13, 300, 256, 1000});
  const Shape shape{8, 11, 4, {100, 8192, 8193, 50'000, SIZE_MAX}, {0, 512, 8192, 9000}};
  EXPECT_GT(expect_fits(data, every_row, shape), 6U);
  EXPECT_GT(expect_fits(data, {70'000, 12'000}, shape, 1), 3U);
}

// A device may split the rows of such a trial among blocks.
TEST(HardIntervalFits, OfOneTrialOnAllRows) {
  const Dataset few = related(70'000, std::vector<std::uint32_t>{2, 13, 300, 255, 1000});
  const Dataset many = related(70'000, std::vector<std::uint32_t>{60'000, 9000, 5, 400});
  for (const std::uint64_t rest : {0U, 3U, 8U}) {
    EXPECT_GT(expect_fits(few, every_row, {12, 1, rest, {SIZE_MAX}, {0}}), 3U) << rest;
    EXPECT_GT(expect_fits(many, every_row, {8, 1, rest, {SIZE_MAX}, {0}}, 1), 1U) << rest;
  }
  for (const Dataset* data : {&few, &many}) {
    EXPECT_GT(expect_fits(*data, every_row, {1, 1, 2, {SIZE_MAX}, {0}}, 4), 0U);
  }
  EXPECT_GT(expect_fits(few, every_row, {60, 1, 3, {SIZE_MAX}, {0}}, 1), 20U);
}

TEST(HardIntervalFits, OfOneTrialOnFewRows) {
  for (const std::uint64_t rows : {1U, 31U, 700U, 8192U, 8193U}) {
    const Dataset data = related(rows, std::vector<std::uint32_t>{2, 13, 300, 65'535});
    expect_fits(data, every_row, {24, 1, 3, {SIZE_MAX}, {0}});
  }
}

// Attributes that no device takes are fitted on the host: a later batch is not to find what they
// got.
TEST(HardIntervalFits, OfOneBatchAfterAnother) {
  const Dataset data = related(800, std::vector<std::uint32_t>{70'000, 12, 3, 40});
  const std::vector<Comparison> positives = {{2, 1, 1}};
  std::vector<std::optional<IntervalTrial>> trials;
  for (const std::uint32_t attribute : {0U, 1U, 0U, 3U, 1U})
    trials.push_back(IntervalTrial{.attribute = attribute, .positives = positives});
  std::vector<IntervalGroup> groups;
  for (const auto& trial : trials) groups.push_back({.trials = {&trial, 1}});
  const auto reference = make_reference_device()->load(data)->interval_fitter(every_row);
  const auto resident = load(data);
  const auto fitter = resident->interval_fitter(every_row);
  for (const auto& [first, count] : {std::pair(0, 5), {1, 1}, {3, 2}, {0, 1}, {3, 1}}) {
    const auto batch =
        std::span(groups).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    const auto expected = fits_of(*reference, batch), fitted = fits_of(*fitter, batch);
    for (std::size_t g = 0; g < batch.size(); ++g) {
      EXPECT_TRUE(expected[g].interval);
      EXPECT_EQ(fitted[g].interval, expected[g].interval) << first << ' ' << g;
    }
  }
}

// The rest holds on 999 of the first 8,192 rows that are looked at, and on 500 of the next.
TEST(HardIntervalFits, OfMoreRowsThatComeInTheLastStep) {
  constexpr std::uint32_t rows = 16'384;
  std::vector<Attribute> attributes = {numbers(2, false), numbers(2, false), numbers(40, false)};
  std::vector<std::vector<std::uint32_t>> columns(3, std::vector<std::uint32_t>(rows, 0));
  const Dataset same_rows = make_dataset(attributes, columns);
  const auto order = rows_to_look_at(same_rows, every_row);
  ASSERT_EQ(order.size(), rows);
  RandomStream stream({4, 1, 0, 0, Purpose::test});
  for (std::uint32_t i = 0; i < rows; ++i) {
    columns[0][order[i]] = i < 999 || (i >= 8192 && i < 8692) ? 1 : 0;
    const auto code = static_cast<std::uint32_t>(stream.below(40));
    columns[2][order[i]] = code;
    columns[1][order[i]] = stream.chance(i < 8192 ? 0.2 + 0.01 * code : 0.7 - 0.01 * code) ? 1 : 0;
  }
  const Dataset data = make_dataset(attributes, columns);
  const std::vector<Comparison> rest = {{0, 1, 1}}, positives = {{1, 1, 1}};
  const IntervalTrial trial{.attribute = 2, .rest = rest, .positives = positives};
  const std::vector<std::optional<IntervalTrial>> trials(3, trial);
  const auto resident = load(data);
  const auto fitter = resident->interval_fitter(every_row);
  const auto reference = make_reference_device()->load(data)->interval_fitter(every_row);
  for (const std::size_t compared : {999U, 1000U, 1001U, 1498U, 1499U, 1500U}) {
    const IntervalGroup group{.trials = trials, .rows = 10'000, .rows_to_compare = compared};
    EXPECT_EQ(fitter->fit(group).interval, reference->fit(group).interval) << compared;
  }
}

TEST(HardIntervalFits, OfRowsThatThereAreNot) {
  const Dataset data = related(500, std::vector<std::uint32_t>{4, 5, 6});
  const std::vector<Comparison> rest = {{0, 1, 1}, {0, 2, 2}}, positives = {{1, 0, 2}};
  std::vector<std::optional<IntervalTrial>> trials(3);
  trials[1] = {.attribute = 2, .rest = rest, .positives = positives, .refine_threshold = true};
  trials[2] = {.attribute = 2, .rest = rest, .positives = positives, .share = PositiveShare{1, 3}};
  const auto resident = load(data);
  const auto fitter = resident->interval_fitter(every_row);
  for (const std::size_t compared : {0U, 10U}) {
    const FittedGroup none = fitter->fit({.trials = trials, .rows_to_compare = compared});
    EXPECT_EQ(none.winner, 0U);
    EXPECT_FALSE(none.interval);
  }
}

// Gains of a refined threshold that 64 bits do not hold.
TEST(HardIntervalFits, OfMillionsOfRows) {
  constexpr std::uint32_t rows = 3'600'000;
  std::vector<Attribute> attributes = {numbers(6, false), numbers(2, false)};
  std::vector<std::vector<std::uint32_t>> columns(2);
  RandomStream stream({3, 1, 0, 0, Purpose::test});
  for (std::uint32_t row = 0; row < rows; ++row) {
    const auto code = static_cast<std::uint32_t>(stream.below(6));
    columns[0].push_back(code);
    columns[1].push_back(stream.chance(0.01) ? code % 2 : code < 3);
  }
  const Dataset data = make_dataset(attributes, columns);
  const std::vector<Comparison> positives = {{1, 1, 1}};
  const std::vector<std::uint32_t> edges = {2, 4};
  std::vector<std::optional<IntervalTrial>> trials;
  for (const BoundRelation relation : {BoundRelation::less_equal, BoundRelation::interval})
    trials.push_back(IntervalTrial{.attribute = 0,
                                   .relation = relation,
                                   .positives = positives,
                                   .refine_threshold = true,
                                   .edges = edges});
  const IntervalGroup group{.trials = trials};
  const auto resident = load(data);
  const FittedGroup expected =
      make_reference_device()->load(data)->interval_fitter(every_row)->fit(group);
  const FittedGroup fitted = resident->interval_fitter(every_row)->fit(group);
  EXPECT_TRUE(expected.interval);
  EXPECT_EQ(fitted.winner, expected.winner);
  EXPECT_EQ(fitted.interval, expected.interval);
}

}  // namespace
}  // namespace atl::test
