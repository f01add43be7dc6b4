#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/bit_planes.hpp"
#include "src/sampling/class_sample.hpp"
#include "src/sampling/literal_counts.hpp"

namespace atl {
namespace {

Attribute numbers(std::uint32_t distinct, bool missing) {
  Attribute attribute;
  attribute.name = "n";
  for (std::uint32_t i = 0; i < distinct; ++i) attribute.low.push_back(i);
  attribute.high = attribute.low;
  attribute.has_missing = missing;
  attribute.exact_distinct = distinct;
  return attribute;
}

Attribute labels(const char* name, std::uint32_t distinct) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::nominal;
  for (std::uint32_t i = 0; i < distinct; ++i) attribute.labels.push_back(std::to_string(100 + i));
  attribute.counts.assign(distinct, 1);
  attribute.exact_distinct = distinct;
  return attribute;
}

/// Numbers with missing values, labels, two labels, and the class of three, a rare one among them.
struct Table {
  explicit Table(std::size_t rows) : columns(4, std::vector<std::uint32_t>(rows)) {
    RandomStream stream({5, 0, 0, 0, Purpose::test});
    for (std::size_t row = 0; row < rows; ++row) {
      columns[0][row] =
          stream.chance(0.1) ? missing_code : static_cast<std::uint32_t>(stream.below(40));
      columns[1][row] = static_cast<std::uint32_t>(stream.below(5));
      columns[2][row] = static_cast<std::uint32_t>(stream.below(2));
      columns[3][row] = row % 100 == 7 ? 2 : static_cast<std::uint32_t>(stream.below(2));
    }
  }
  Dataset dataset() const {
    return make_dataset({numbers(40, true), labels("l", 5), labels("two", 2), labels("class", 3)},
                        columns);
  }
  std::vector<std::vector<std::uint32_t>> columns;
};

/// Rows of the table with that class on which the comparison holds.
std::uint64_t expected(const Table& table, const Comparison& comparison, std::uint32_t label) {
  std::uint64_t rows = 0;
  for (std::size_t row = 0; row < table.columns[0].size(); ++row) {
    const std::uint32_t code = table.columns[comparison.attribute][row];
    if (table.columns[3][row] == label && code != missing_code && takes(comparison, code)) ++rows;
  }
  return rows;
}

std::uint64_t bits(const std::uint64_t* words, std::size_t first, std::size_t end) {
  std::uint64_t count = 0;
  for (std::size_t w = first; w < end; ++w) count += static_cast<unsigned>(std::popcount(words[w]));
  return count;
}

TEST(ClassSample, CoversTheRowsOfEachClassOnWhichAnExpressionHolds) {
  const Table table(3000);
  const Dataset data = table.dataset();
  const ClassSample sample(data, 3, {});
  ASSERT_EQ(sample.windows().size(), 1U);
  const SampleWindow& window = sample.windows()[0];
  const std::vector<Comparison> comparisons = {
      {0, 0, 11, false}, {0, 12, 39, false}, {0, 5, 20, false}, {0, 5, 20, true},
      {0, 0, 39, false}, {1, 3, 3, false},   {1, 3, 3, true},   {1, 1, 3, false},
      {2, 0, 0, false},  {2, 1, 1, false},   {2, 1, 1, true}};
  std::vector<std::uint64_t> cover(sample.words());
  for (const Comparison& comparison : comparisons) {
    sample.cover(Expression::of(comparison), cover.data());
    for (std::uint32_t c = 0; c < 3; ++c) {
      EXPECT_EQ(bits(cover.data(), window.classes[c], window.classes[c + 1]),
                expected(table, comparison, c))
          << comparison.attribute << " " << comparison.low << " " << comparison.high;
    }
  }
  // NOT is two-valued: it holds where the value is missing.
  sample.cover(Expression({Op::comparison, Op::negation}, {comparisons[0]}), cover.data());
  EXPECT_EQ(bits(cover.data(), 0, sample.words()), 3000 - expected(table, comparisons[0], 0) -
                                                       expected(table, comparisons[0], 1) -
                                                       expected(table, comparisons[0], 2));
  sample.cover(Expression({Op::comparison, Op::comparison, Op::disjunction},
                          {comparisons[0], comparisons[1]}),
               cover.data());
  EXPECT_EQ(bits(cover.data(), 0, sample.words()), bits(sample.present(0), 0, sample.words()));
}

TEST(ClassSample, LiteralsAndCodesTellTheSame) {
  const Table table(1000);
  const Dataset data = table.dataset();
  const ClassSample sample(data, 3, {});
  ASSERT_EQ(sample.first_literal(1) - sample.first_literal(0), 39U);
  ASSERT_EQ(sample.first_literal(3) - sample.first_literal(2), 1U);
  const auto codes = sample.codes(0);
  ASSERT_EQ(codes.size(), sample.words() * 64);
  EXPECT_TRUE(sample.codes(1).empty());
  for (std::size_t i = 0; i < 39; ++i) {
    const std::uint64_t* const words = sample.bits(sample.first_literal(0) + i);
    for (std::size_t p = 0; p < codes.size(); ++p) {
      const bool there = codes[p] != ClassSample::no_code && codes[p] <= i;
      ASSERT_EQ((words[p / 64] >> (p % 64) & 1) != 0, there) << i << " " << p;
    }
  }
}

TEST(ClassSample, WindowsShareClassesAndHaveAllRareRows) {
  const Table table(20000);
  const Dataset data = table.dataset();
  const ClassSample sample(data, 3, {.window_cost = 500});
  ASSERT_GT(sample.windows().size(), 2U);
  const auto windows = static_cast<double>(sample.windows().size());
  for (std::uint32_t c = 0; c < 3; ++c) {
    std::uint64_t all = 0;
    for (const SampleWindow& window : sample.windows()) {
      all += bits(sample.rows(), window.classes[c], window.classes[c + 1]);
    }
    EXPECT_DOUBLE_EQ(static_cast<double>(all) * sample.scale(c),
                     static_cast<double>(sample.class_rows()[c]));
  }
  EXPECT_EQ(sample.class_rows()[2], 200U);
  EXPECT_DOUBLE_EQ(sample.scale(2), 1 / windows);
}

TEST(ClassSample, TakesFewerRowsThanTheMemoryAllows) {
  const Table table(60000);
  const Dataset data = table.dataset();
  const ClassSample sample(data, 3, {.most_bytes = 50000});
  EXPECT_LT(bits(sample.rows(), 0, sample.words()), 20000U);
  EXPECT_GT(sample.scale(0), 2);
  EXPECT_DOUBLE_EQ(sample.scale(2), 60000 / 100 > 512 ? 600.0 / 512 : 1) << "of 600 rows 512";
}

TEST(ClassSample, KnowsTheRowsWithoutAFold) {
  const Table table(500);
  const Dataset data = table.dataset();
  std::vector<std::uint8_t> folds(500);
  for (std::size_t row = 0; row < 500; ++row) folds[row] = row % 5 == 0 ? 1 : 0;
  const ClassSample sample(data, 3, {.folds = folds, .fold_count = 2});
  EXPECT_EQ(bits(sample.rows_without(1), 0, sample.words()), 400U);
  EXPECT_EQ(bits(sample.rows_without(0), 0, sample.words()), 100U);
}

TEST(RunMask, CountsRunByRunSparseOrNot) {
  constexpr std::size_t words = 100, sets = 11;
  RandomStream stream({6, 0, 0, 0, Purpose::test});
  std::vector<std::uint64_t> all(words * sets);
  for (std::uint64_t& word : all) word = stream.next_u64();
  AlignedWords interleaved(words * 16);
  for (std::size_t i = 0; i < all.size(); ++i) {
    interleaved.data()[interleaved_word(i / words, i % words, words)] = all[i];
  }
  for (const double filled : {1.0, 0.5, 0.1, 0.0}) {
    std::vector<std::uint64_t> mask(words, 0);
    for (std::uint64_t& word : mask) {
      if (stream.chance(filled)) word = stream.next_u64();
    }
    const std::vector<WordRun> runs = {{0, 1}, {1, 60}, {60, 77}, {77, 77}, {80, 100}};
    RunMask counter;
    counter.set(mask.data(), runs);
    std::vector<std::uint32_t> counts(sets * runs.size());
    counter.count_common(all.data(), words, sets, counts.data());
    std::vector<std::uint32_t> of_interleaved(counts.size());
    counter.count_interleaved(interleaved.data(), words, sets, of_interleaved.data());
    EXPECT_EQ(of_interleaved, counts);
    for (std::size_t s = 0; s < sets; ++s) {
      for (std::size_t r = 0; r < runs.size(); ++r) {
        std::uint32_t count = 0;
        for (std::size_t w = runs[r].first; w < runs[r].end; ++w) {
          count += static_cast<unsigned>(std::popcount(all[s * words + w] & mask[w]));
        }
        EXPECT_EQ(counts[s * runs.size() + r], count) << filled << " " << s << " " << r;
      }
    }
  }
}

}  // namespace
}  // namespace atl
