#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "islands/rule_sets/list_smoothing.hpp"

namespace atl {
namespace {

constexpr std::uint32_t folds = 2, classes = 2;

using Fronts = std::vector<std::vector<std::optional<SampledList>>>;

/// Parts of two folds, which all have the same list of one rule, whatever it asks.
class OneList {
 public:
  /// @param decided  [2][folds][classes]
  explicit OneList(std::vector<std::uint64_t> decided) : decided_(std::move(decided)) {
    judge_ = {.folds = folds, .weights = {1, 7}, .costs = {{0, 0}}};
    SampledList list;
    list.decided = {decided_, folds, classes};
    fronts_.assign(parts_.size(), {std::nullopt, list});
  }

  Fronts& fronts() noexcept { return fronts_; }

  Smoothing smoothing(std::size_t rules = 1) const {
    return list_smoothing(fronts_, parts_, rules, judge_);
  }

  /// Sum over the rows, one by one, each told by the other fold.
  double loss(double m) const {
    double sum = 0;
    for (std::uint32_t fold = 0; fold < folds; ++fold) {
      const std::uint32_t other = 1 - fold;
      for (std::size_t rule = 0; rule < 2; ++rule) {
        for (std::size_t c = 0; c < classes; ++c) {
          const double of_class = at(0, other, c) + at(1, other, c);
          const double all = of_class + at(0, other, 1 - c) + at(1, other, 1 - c);
          const double share = (of_class + 1) / (all + classes);
          const double p =
              (at(rule, other, c) + m * share) / (at(rule, other, 0) + at(rule, other, 1) + m);
          for (double row = 0; row < at(rule, fold, c); ++row) sum -= std::log(p);
        }
      }
    }
    return sum;
  }

 private:
  double at(std::size_t rule, std::uint32_t fold, std::size_t c) const {
    return static_cast<double>(decided_[(rule * folds + fold) * classes + c]);
  }

  std::vector<std::uint64_t> decided_;
  std::vector<Part> parts_ = {{0, 0}, {1, 0}, {{}, 0}};
  ListJudge judge_;
  Fronts fronts_;
};

double best_by_rows(const OneList& list) {
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (const double m : smoothing_rows) {
    if (list.loss(m) >= least) continue;
    least = list.loss(m);
    best = m;
  }
  return best;
}

TEST(ListSmoothing, IsOfLeastLossOnTheFoldsThatAreNotSeen) {
  const OneList sure({20, 0, 20, 0, 0, 20, 0, 20});  // what one fold tells holds in the other
  const OneList chance({3, 0, 0, 3, 9, 11, 11, 9});
  const OneList between({9, 1, 6, 2, 2, 9, 3, 8});
  EXPECT_EQ(sure.smoothing().rows, 0.5);
  EXPECT_EQ(chance.smoothing().rows, 32);
  EXPECT_GT(between.smoothing().rows, 0.5);
  EXPECT_LT(between.smoothing().rows, 32);
  for (const OneList* const list : {&sure, &chance, &between})
    EXPECT_EQ(list->smoothing().rows, best_by_rows(*list));
}

TEST(ListSmoothing, HasTheSharesOfAllRows) {
  const OneList list({9, 1, 6, 2, 2, 9, 3, 8});
  EXPECT_EQ(list.smoothing().shares, (std::vector<double>{21.0 / 42, 21.0 / 42}));
}

TEST(ListSmoothing, IsTheSmallestOfEquals) {
  const OneList equal({5, 5, 5, 5, 5, 5, 5, 5});  // p is a half whatever it is smoothed with
  EXPECT_EQ(equal.smoothing().rows, 0.5);
}

TEST(ListSmoothing, IsTwoWhereNothingIsUnseen) {
  OneList list({9, 1, 6, 2, 2, 9, 3, 8});
  list.fronts()[0] = list.fronts()[1] = {std::nullopt, std::nullopt};
  EXPECT_EQ(list.smoothing().rows, 2);
}

TEST(ListSmoothing, LooksAtNoLongerLists) {
  OneList list({9, 1, 6, 2, 2, 9, 3, 8});
  const double before = list.smoothing().rows;
  SampledList longer;
  longer.fitness = 100;
  const std::vector<std::uint64_t> decided = {20, 0, 20, 0, 0, 20, 0, 20, 0, 0, 0, 0};
  longer.decided = {decided, folds, classes};
  for (auto& front : list.fronts()) front.emplace_back(longer);
  EXPECT_EQ(list.smoothing(1).rows, before);
  EXPECT_EQ(list.smoothing(2).rows, 0.5);
}

}  // namespace
}  // namespace atl
