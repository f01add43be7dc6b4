#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/measures/class_probabilities.hpp"
#include "src/measures/probability_figures.hpp"

namespace atl {
namespace {

TEST(ClassProbabilities, AreMEstimates) {
  const std::vector<std::uint64_t> decided = {6, 2, 0, 0};  // of two rules
  const std::vector<double> shares = class_shares(decided, 2);
  EXPECT_EQ(shares, (std::vector<double>{0.7, 0.3}));
  const auto p = class_probabilities(decided, {2, shares});
  ASSERT_EQ(p.size(), 2U);
  EXPECT_DOUBLE_EQ(p[0][0], (6 + 1.4) / 10);
  EXPECT_DOUBLE_EQ(p[0][1], (2 + 0.6) / 10);
  EXPECT_DOUBLE_EQ(p[1][0], 0.7) << "without rows what is known of all";
  EXPECT_DOUBLE_EQ(p[1][1], 0.3);
}

TEST(ClassProbabilities, AreNeverZeroAndAddUpToOne) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint16_t>& counts) {
    const std::size_t classes = 3;
    std::vector<std::uint64_t> decided(counts.begin(), counts.end());
    decided.resize((counts.size() / classes + 1) * classes, 0);
    for (const double rows : {0.5, 32.0}) {
      for (const auto& p : class_probabilities(decided, {rows, class_shares(decided, classes)})) {
        RC_ASSERT(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-12);
        for (const double its : p) RC_ASSERT(its > 0);
      }
    }
  }));
}

/// Two rules and a default for two classes.
const std::vector<std::vector<double>> of_two = {{0.75, 0.25}, {0.25, 0.75}, {0.5, 0.5}};

TEST(ProbabilityFigures, ByHand) {
  const std::vector<std::uint64_t> rows = {3, 1, 0, 2, 1, 1};
  const ToldRows told{rows, of_two};
  EXPECT_DOUBLE_EQ(log_loss(told), -(5 * std::log(0.75) + std::log(0.25) + 2 * std::log(0.5)) / 8);
  EXPECT_DOUBLE_EQ(brier(told), (5 * 2 * 0.0625 + 2 * 0.5625 + 2 * 0.5) / 8);
  // Rows of the second class: at 0.25 1, 0.5 1, 0.75 2; of the first 3, 1, 0.
  EXPECT_DOUBLE_EQ(auc(told), (1 * 1.5 + 1 * 3.5 + 2 * 4) / 16);
  const std::vector<std::uint32_t> said = {0, 1, 0};
  const ProbabilityFigures all = probability_figures(told, said);
  EXPECT_EQ(all.rows, 8U);
  EXPECT_EQ(all.auc, auc(told));
  ASSERT_EQ(all.calibration.size(), 8U);
  EXPECT_EQ(all.calibration[1].rows, 2U) << "0.5 belongs to what begins there";
  EXPECT_EQ(all.calibration[1].right, 1U);
  EXPECT_EQ(all.calibration[3].rows, 6U);
  EXPECT_EQ(all.calibration[3].right, 5U);
  EXPECT_DOUBLE_EQ(all.calibration[3].predicted, 6 * 0.75);
}

TEST(ProbabilityFigures, CertaintyIsInTheLastBinAndZeroIsAnInfiniteLoss) {
  const std::vector<std::vector<double>> certain = {{1, 0}};
  const std::vector<std::uint32_t> said = {0};
  std::vector<std::uint64_t> rows = {4, 0};
  EXPECT_EQ(log_loss({rows, certain}), 0);
  EXPECT_EQ(calibration({rows, certain}, said).back().rows, 4U);
  EXPECT_TRUE(std::isnan(auc({rows, certain}))) << "all rows are of one class";
  rows = {3, 1};
  EXPECT_EQ(log_loss({rows, certain}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(brier({rows, certain}), 0.5);
  EXPECT_EQ(auc({rows, certain}), 0.5);
}

TEST(ProbabilityFigures, ClassesThatNobodyKnewAreLeftOutButNotFromCalibration) {
  const std::vector<std::uint64_t> rows = {3, 1, 0, 2, 1, 1}, more = {3, 1, 4, 0, 2, 0, 1, 1, 2};
  const std::vector<std::uint32_t> said = {0, 1, 0};
  const auto known = probability_figures({rows, of_two}, said);
  const auto wider = probability_figures({more, of_two}, said);
  EXPECT_EQ(wider.rows, 8U);
  EXPECT_EQ(wider.log_loss, known.log_loss);
  EXPECT_EQ(wider.brier, known.brier);
  EXPECT_EQ(wider.auc, known.auc);
  EXPECT_EQ(wider.calibration[3].rows, known.calibration[3].rows + 4);
  EXPECT_EQ(wider.calibration[3].right, known.calibration[3].right);
}

TEST(ProbabilityFigures, WithoutRowsNoFigureExists) {
  const std::vector<std::uint64_t> rows(6, 0);
  const std::vector<std::uint32_t> said = {0, 1, 0};
  const ProbabilityFigures none = probability_figures({rows, of_two}, said);
  for (const double figure : {none.log_loss, none.brier, none.auc}) EXPECT_TRUE(std::isnan(figure));
}

/// A row, and what it was told.
struct Row {
  const std::vector<double>* told;
  std::size_t label;
};

double auc_by_pairs(const std::vector<Row>& rows, std::size_t label) {
  double won = 0, pairs = 0;
  for (const Row& own : rows) {
    for (const Row& other : rows) {
      if (own.label != label || other.label == label) continue;
      const double a = (*own.told)[label], b = (*other.told)[label];
      won += a > b ? 1 : a == b ? 0.5 : 0;
      pairs += 1;
    }
  }
  return won / pairs;
}

TEST(ProbabilityFigures, AreThoseOfALoopOverRows) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& counts) {
    const std::size_t classes = 3;
    std::vector<std::uint64_t> rows;
    for (const std::uint8_t count : counts) rows.push_back(count % 5);
    rows.resize((counts.size() / classes + 1) * classes, 1);
    const auto p = class_probabilities(rows, {4, class_shares(rows, classes)});
    std::vector<Row> single;
    for (std::size_t i = 0; i < rows.size(); ++i)
      single.insert(single.end(), rows[i], {&p[i / classes], i % classes});
    if (single.empty()) return;
    double losses = 0, squares = 0, areas = 0, with_area = 0;
    for (const Row& row : single) {
      losses -= std::log((*row.told)[row.label]);
      for (std::size_t c = 0; c < classes; ++c)
        squares += std::pow((*row.told)[c] - (c == row.label ? 1 : 0), 2);
    }
    for (std::size_t label = 0; label < classes; ++label) {
      const double area = auc_by_pairs(single, label);
      if (std::isnan(area)) continue;
      areas += area;
      with_area += 1;
    }
    const auto number = static_cast<double>(single.size());
    const ToldRows told{rows, p};
    RC_ASSERT(std::abs(log_loss(told) - losses / number) < 1e-12);
    RC_ASSERT(std::abs(brier(told) - squares / number) < 1e-12);
    if (with_area > 0) RC_ASSERT(std::abs(auc(told) - areas / with_area) < 1e-12);
    if (with_area == 0) RC_ASSERT(std::isnan(auc(told)));
  }));
}

TEST(ProbabilityFigures, OfSeveralTestsAreThoseOfTheirRows) {
  const std::vector<std::uint64_t> first = {3, 1, 0, 2, 1, 1}, second = {0, 0, 5, 1, 0, 2};
  const std::vector<std::uint32_t> said = {0, 1, 0};
  std::vector<std::uint64_t> both;
  for (std::size_t i = 0; i < first.size(); ++i) both.push_back(first[i] + second[i]);
  const std::vector<ProbabilityFigures> tests = {
      probability_figures({first, of_two}, said), probability_figures({second, of_two}, said), {}};
  const ProbabilityFigures all = together(tests);
  const ProbabilityFigures expected = probability_figures({both, of_two}, said);
  EXPECT_EQ(all.rows, 16U);
  EXPECT_DOUBLE_EQ(all.log_loss, expected.log_loss);
  EXPECT_DOUBLE_EQ(all.brier, expected.brier);
  EXPECT_DOUBLE_EQ(all.auc, (tests[0].auc + tests[1].auc) / 2);
  for (std::size_t i = 0; i < all.calibration.size(); ++i) {
    EXPECT_EQ(all.calibration[i].rows, expected.calibration[i].rows);
    EXPECT_EQ(all.calibration[i].right, expected.calibration[i].right);
    EXPECT_DOUBLE_EQ(all.calibration[i].predicted, expected.calibration[i].predicted);
  }
}

}  // namespace
}  // namespace atl
