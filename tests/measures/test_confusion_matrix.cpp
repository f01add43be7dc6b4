#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/measures/confusion_matrix.hpp"

namespace atl {
namespace {

ConfusionMatrix matrix_of(const std::vector<std::vector<std::uint64_t>>& rows) {
  ConfusionMatrix matrix(rows.size());
  for (std::size_t actual = 0; actual < rows.size(); ++actual)
    for (std::size_t predicted = 0; predicted < rows.size(); ++predicted)
      matrix.add(actual, predicted, rows[actual][predicted]);
  return matrix;
}

TEST(ConfusionMatrix, FiguresByHand) {
  const ConfusionMatrix m = matrix_of({{5, 1, 0}, {2, 3, 1}, {0, 0, 8}});
  EXPECT_EQ(m.rows(), 20U);
  EXPECT_EQ(m.correct(), 16U);
  EXPECT_EQ(m.actual(1), 6U);
  EXPECT_EQ(m.predicted(0), 7U);
  EXPECT_DOUBLE_EQ(accuracy(m), 0.8);
  EXPECT_DOUBLE_EQ(recall(m, 1), 0.5);
  EXPECT_DOUBLE_EQ(precision(m, 1), 0.75);
  EXPECT_DOUBLE_EQ(f1(m, 1), 0.6);
  EXPECT_DOUBLE_EQ(balanced_accuracy(m), (5.0 / 6 + 0.5 + 1) / 3);
  EXPECT_DOUBLE_EQ(macro_f1(m), (10.0 / 13 + 0.6 + 16.0 / 17) / 3);
  // Chance agrees on 6 x 7 + 6 x 4 + 8 x 9 = 138 of 400.
  EXPECT_DOUBLE_EQ(kappa(m), (0.8 - 138.0 / 400) / (1 - 138.0 / 400));
}

TEST(ConfusionMatrix, KappaOfTheTextbook) {
  // Two readers of 50 proposals, 20 + 15 of which both see alike.
  EXPECT_DOUBLE_EQ(kappa(matrix_of({{20, 5}, {10, 15}})), 0.4);
  EXPECT_DOUBLE_EQ(kappa(matrix_of({{0, 3}, {3, 0}})), -1);
  EXPECT_DOUBLE_EQ(kappa(matrix_of({{6, 2}, {3, 1}})), 0);  // what chance gives
}

TEST(ConfusionMatrix, ClassesWithoutRowsCountWhereTheyAreGiven) {
  const ConfusionMatrix m = matrix_of({{3, 1, 0, 0}, {0, 4, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  EXPECT_DOUBLE_EQ(balanced_accuracy(m), (0.75 + 1) / 2);
  EXPECT_DOUBLE_EQ(macro_f1(m), (6.0 / 7 + 8.0 / 9) / 2);
  const ConfusionMatrix given = matrix_of({{3, 1, 0}, {0, 3, 1}, {0, 0, 0}});
  EXPECT_DOUBLE_EQ(balanced_accuracy(given), 0.75);
  EXPECT_DOUBLE_EQ(macro_f1(given), (6.0 / 7 + 0.75 + 0) / 3);
  EXPECT_TRUE(std::isnan(recall(given, 2)));
  EXPECT_EQ(precision(given, 2), 0);
  EXPECT_EQ(f1(given, 2), 0);
  EXPECT_TRUE(std::isnan(f1(m, 3)));
}

TEST(ConfusionMatrix, WithoutRowsNoFigureExists) {
  for (const std::size_t classes : {0U, 1U, 3U}) {
    const ConfusionMatrix none(classes);
    EXPECT_TRUE(std::isnan(accuracy(none)));
    EXPECT_TRUE(std::isnan(balanced_accuracy(none)));
    EXPECT_TRUE(std::isnan(macro_f1(none)));
    EXPECT_TRUE(std::isnan(kappa(none)));
  }
}

TEST(ConfusionMatrix, OneClassAloneHasNoKappa) {
  const ConfusionMatrix m = matrix_of({{7, 0}, {0, 0}});
  EXPECT_EQ(accuracy(m), 1);
  EXPECT_EQ(balanced_accuracy(m), 1);
  EXPECT_EQ(macro_f1(m), 1);
  EXPECT_TRUE(std::isnan(kappa(m)));
  EXPECT_EQ(kappa(matrix_of({{0, 7}, {0, 0}})), 0);
  EXPECT_EQ(kappa(matrix_of({{4, 0}, {0, 1}})), 1);
}

TEST(ConfusionMatrix, PartsAddUpAndFiguresStayInTheirRanges) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint32_t>& counts) {
    ConfusionMatrix whole(3), first(3), second(3);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::size_t actual = i % 3, predicted = i / 3 % 3;
      whole.add(actual, predicted, counts[i]);
      (i % 2 == 0 ? first : second).add(actual, predicted, counts[i]);
    }
    first.add(second);
    RC_ASSERT(first == whole);
    if (whole.rows() == 0) return;
    for (const double share : {accuracy(whole), balanced_accuracy(whole), macro_f1(whole)})
      RC_ASSERT(share >= 0 && share <= 1);
    const double beyond_chance = kappa(whole);
    RC_ASSERT(std::isnan(beyond_chance) || (beyond_chance >= -1 && beyond_chance <= 1));
  }));
}

}  // namespace
}  // namespace atl
