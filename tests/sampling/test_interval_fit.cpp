#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "src/sampling/interval_sample.hpp"
#include "tests/eval/backend.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

constexpr std::uint64_t all_rows = std::numeric_limits<std::uint64_t>::max();

bool holds(const Dataset& dataset, std::uint64_t row, const Comparison& c) {
  const std::uint32_t code = dataset.code(row, c.attribute);
  return code != missing_code && takes(c, code);
}

/// The question put to a fit, answered row by row.
struct Question {
  const Dataset& dataset;
  std::uint32_t attribute;
  std::vector<Comparison> rest, positives;

  bool among(std::uint64_t row) const {
    return std::all_of(rest.begin(), rest.end(), [&](const Comparison& c) {
      return c.attribute == attribute || holds(dataset, row, c);
    });
  }
  bool is_wanted(std::uint64_t row) const {
    return std::all_of(positives.begin(), positives.end(),
                       [&](const Comparison& c) { return holds(dataset, row, c); });
  }
  PositiveShare own_share() const {
    PositiveShare share{0, 0};
    for (std::uint64_t row = 0; row < dataset.rows(); ++row) {
      if (!among(row)) continue;
      ++share.rows;
      if (is_wanted(row)) ++share.positives;
    }
    return share;
  }
  std::int64_t gain(const Comparison& c, const PositiveShare& share) const {
    std::int64_t sum = 0;
    for (std::uint64_t row = 0; row < dataset.rows(); ++row) {
      if (!among(row) || !holds(dataset, row, c)) continue;
      sum += (is_wanted(row) ? share.rows : 0) - share.positives;
    }
    return sum;
  }
};

/// Fits one trial after the other.
class SingleFits {
 public:
  SingleFits(const Dataset& dataset, const IntervalRows& rows)
      : fitter_(make_cpu_interval_fitter(std::make_shared<const IntervalSample>(dataset, rows))) {}
  std::optional<FittedInterval> best_codes(const IntervalTrial& trial, std::size_t rows) {
    const std::optional<IntervalTrial> trials[] = {trial};
    return fitter_->fit({.trials = trials, .rows = rows}).interval;
  }

 private:
  std::unique_ptr<IntervalFitter> fitter_;
};

bool has_form(BoundRelation relation, std::uint32_t low, std::uint32_t high,
              std::uint32_t distinct) {
  if (low == 0 && high + 1 == distinct) return false;
  if (relation == BoundRelation::less_equal) return low == 0;
  if (relation == BoundRelation::greater) return high + 1 == distinct;
  return relation == BoundRelation::interval || low == high;
}

}  // namespace

// Every choice of codes by brute force.
TEST(IntervalFit, FindsTheCodesOfGreatestGain) {
  const Dataset dataset = planted_table(400, true);
  SingleFits fit(dataset, {all_rows, all_rows});
  int found = 0;
  for (std::uint32_t slot = 0; slot < 24; ++slot) {
    RandomStream stream({5, 0, 0, slot, Purpose::test});
    const auto attribute = static_cast<std::uint32_t>(stream.below(8));
    const std::uint32_t distinct = dataset.attributes()[attribute].distinct();
    Question question{dataset, attribute, {{4, 1, 3}, {attribute, 0, 0}}, {{5, 1, 1}}};
    if (slot % 2 == 1) question.rest.push_back({3, 5, 30, true});
    const bool own = slot % 3 != 0;
    const PositiveShare share = own ? question.own_share() : PositiveShare{1, 5};
    for (const auto relation :
         {BoundRelation::equal, BoundRelation::not_equal, BoundRelation::less_equal,
          BoundRelation::greater, BoundRelation::interval}) {
      const bool negated = relation == BoundRelation::not_equal;
      std::int64_t best = 0;
      for (std::uint32_t low = 0; low < distinct; ++low) {
        for (std::uint32_t high = low; high < distinct; ++high) {
          if (!has_form(relation, low, high, distinct)) continue;
          best = std::max(best, question.gain({attribute, low, high, negated}, share));
        }
      }
      const auto codes = fit.best_codes({.attribute = attribute,
                                         .relation = relation,
                                         .rest = question.rest,
                                         .positives = question.positives,
                                         .share = own ? std::nullopt : std::optional(share)},
                                        all_rows);
      ASSERT_EQ(codes.has_value(), best > 0) << static_cast<int>(relation);
      if (!codes) continue;
      ++found;
      EXPECT_TRUE(has_form(relation, codes->low, codes->high, distinct));
      EXPECT_EQ(question.gain({attribute, codes->low, codes->high, negated}, share), best);
    }
  }
  EXPECT_GT(found, 60);
}

TEST(IntervalFit, TakesTheOneCodeThatMayBeIfItGains) {
  const Dataset dataset = planted_table(400, true);
  SingleFits fit(dataset, {all_rows, all_rows});
  int gaining = 0;
  for (std::uint32_t code = 0; code < 40; ++code) {
    for (const auto relation : {BoundRelation::equal, BoundRelation::not_equal}) {
      const bool negated = relation == BoundRelation::not_equal;
      const Question question{dataset, 0, {{4, 1, 3}}, {{5, 1, 1}}};
      const auto codes = fit.best_codes({.attribute = 0,
                                         .relation = relation,
                                         .rest = question.rest,
                                         .positives = question.positives,
                                         .refine_threshold = code % 2 == 0,
                                         .through = code / 2,
                                         .only = code},
                                        all_rows);
      const bool gains = question.gain({0, code, code, negated}, question.own_share()) > 0;
      ASSERT_EQ(codes.has_value(), gains) << code;
      if (!codes) continue;
      ++gaining;
      EXPECT_EQ(codes->low, code);
      EXPECT_EQ(codes->high, code);
    }
  }
  EXPECT_GT(gaining, 20);
}

namespace {

Attribute numbered(std::uint32_t values) {
  Attribute attribute;
  for (std::uint32_t v = 0; v < values; ++v) {
    attribute.low.push_back(v);
    attribute.high.push_back(v);
  }
  attribute.exact_distinct = values;
  return attribute;
}

/// Row r has code code(r) on attribute 0, of so many, and code 1 of 2 on attribute 1 where it is
/// positives.
template <typename Code, typename Wanted>
Dataset two_columns(std::uint32_t rows, std::uint32_t codes, const Code& code,
                    const Wanted& positives) {
  std::vector<std::vector<std::uint32_t>> columns(2);
  for (std::uint32_t row = 0; row < rows; ++row) {
    columns[0].push_back(code(row));
    columns[1].push_back(positives(row) ? 1 : 0);
  }
  return make_dataset({numbered(codes), numbered(2)}, columns, 4096);
}

}  // namespace

// Rows are sorted by the attribute: a beginning of the table itself would not do.
TEST(IntervalFit, IsSatisfiedWithRowsFromAllOverTheTable) {
  const auto code = [](std::uint32_t row) { return row / 400; };
  const auto is_wanted = [&](std::uint32_t row) { return code(row) >= 30 && code(row) < 80; };
  const Dataset dataset = two_columns(40'000, 100, code, is_wanted);
  SingleFits fit(dataset, {all_rows, 3000});
  const std::vector<Comparison> positives = {{1, 1, 1}};
  const auto codes = fit.best_codes({0, BoundRelation::interval, {}, positives}, all_rows);
  ASSERT_TRUE(codes);
  EXPECT_EQ(codes->low, 30U);
  EXPECT_EQ(codes->high, 79U);
}

// Codes of one, two and four bytes, missing values among them.
TEST(IntervalFit, ReadsCodesOfEveryWidth) {
  constexpr std::uint32_t rows = 70'000;
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> columns;
  for (const std::uint32_t values : {255U, 256U, 65'535U, 65'536U}) {
    attributes.push_back(numbered(values));
    attributes.back().has_missing = true;
    auto& column = columns.emplace_back(rows);
    for (std::uint32_t row = 0; row < rows; ++row) {
      column[row] = row < values ? row : row % 7 == 0 ? missing_code : row * 31 % values;
    }
  }
  attributes.push_back(numbered(2));
  columns.emplace_back(rows);
  const Dataset empty = make_dataset(attributes, columns, 4096);
  for (std::uint32_t attribute = 0; attribute < 4; ++attribute) {
    const std::uint32_t last = empty.attributes()[attribute].distinct() - 1;
    for (std::uint32_t row = 0; row < rows; ++row) {
      const std::uint32_t code = columns[attribute][row];
      columns[4][row] = code != missing_code && code > last / 2 ? 1 : 0;
    }
    const Dataset dataset = make_dataset(attributes, columns, 4096);
    SingleFits fit(dataset, {all_rows, all_rows});
    const std::vector<Comparison> positives = {{4, 1, 1}};
    const auto codes = fit.best_codes({attribute, BoundRelation::greater, {}, positives}, all_rows);
    ASSERT_TRUE(codes) << attribute;
    EXPECT_EQ(codes->low, last / 2 + 1);
    EXPECT_EQ(codes->high, last);
  }
}

// Half of the rows of codes 15 to 19 and 40 to 59 are positives, a tenth of all others: little is
// lost between the two.
TEST(IntervalFit, SharpensWhereTheShareChanges) {
  const auto code = [](std::uint32_t row) { return row % 1000; };
  const auto is_wanted = [&](std::uint32_t row) {
    const bool inside = (code(row) >= 15 && code(row) < 20) || (code(row) >= 40 && code(row) < 60);
    return row / 1000 % 10 < (inside ? 5U : 1U);
  };
  const Dataset dataset = two_columns(100'000, 1000, code, is_wanted);
  SingleFits fit(dataset, {all_rows, all_rows});
  const std::vector<Comparison> positives = {{1, 1, 1}};
  IntervalTrial trial{
      .attribute = 0, .relation = BoundRelation::interval, .rest = {}, .positives = positives};
  const auto wide = fit.best_codes(trial, all_rows);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->low, 15U);
  EXPECT_EQ(wide->high, 59U);
  trial.refine_threshold = true;
  const auto sharp = fit.best_codes(trial, all_rows);
  ASSERT_TRUE(sharp);
  EXPECT_EQ(sharp->low, 40U);
  EXPECT_EQ(sharp->high, 59U);
  EXPECT_GT(sharp->chi_squared, wide->chi_squared);
}

// What is looked at is a beginning of what a fit without a limit looks at.
TEST(IntervalFit, LooksAtNoMoreRowsThanItIsTold) {
  const auto code = [](std::uint32_t row) { return row % 10; };
  const auto is_wanted = [&](std::uint32_t row) { return code(row) < 3; };
  const Dataset dataset = two_columns(1000, 10, code, is_wanted);
  SingleFits fit(dataset, {all_rows, all_rows});
  const std::vector<Comparison> positives = {{1, 1, 1}};
  IntervalTrial trial{
      .attribute = 0, .relation = BoundRelation::less_equal, .rest = {}, .positives = positives};
  for (const std::size_t limit : {10U, 100U, 1000U}) {
    const auto codes = fit.best_codes(trial, limit);
    ASSERT_TRUE(codes);
    EXPECT_EQ(codes->high, 2U);
    // Rows are parted perfectly, so chi-squared is their number.
    EXPECT_NEAR(codes->chi_squared, static_cast<double>(limit), 1e-6);
  }
}

TEST(IntervalFit, TakesTheCodeThatItIsToldTo) {
  const Dataset dataset = planted_table(400, true);
  SingleFits fit(dataset, {all_rows, all_rows});
  const Question question{dataset, 0, {{4, 2, 2}}, {{5, 1, 1}}};
  const PositiveShare share = question.own_share();
  int found = 0;
  for (std::uint32_t through = 0; through < 40; ++through) {
    std::int64_t best = 0;
    for (std::uint32_t low = 0; low <= through; ++low) {
      for (std::uint32_t high = through; high < 40; ++high) {
        best = std::max(best, question.gain({0, low, high}, share));
      }
    }
    const auto codes = fit.best_codes({.attribute = 0,
                                       .relation = BoundRelation::interval,
                                       .rest = question.rest,
                                       .positives = question.positives,
                                       .through = through},
                                      all_rows);
    ASSERT_EQ(codes.has_value(), best > 0) << through;
    if (!codes) continue;
    ++found;
    EXPECT_LE(codes->low, through);
    EXPECT_GE(codes->high, through);
    EXPECT_EQ(question.gain({0, codes->low, codes->high}, share), best);
  }
  EXPECT_GT(found, 8);
}

TEST(IntervalFit, GivesNothingWhereNothingGains) {
  const Dataset dataset = planted_table(400);
  SingleFits fit(dataset, {all_rows, all_rows});
  const std::vector<Comparison> nowhere = {{5, 1, 1}, {5, 2, 2}};
  EXPECT_FALSE(fit.best_codes({0, BoundRelation::interval, {}, nowhere}, all_rows));
  EXPECT_FALSE(fit.best_codes({0, BoundRelation::interval, nowhere, {}}, all_rows));
}

}  // namespace atl::test
