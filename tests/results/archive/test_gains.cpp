#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "src/measures/measures.hpp"
#include "src/results/archive/gains.hpp"

namespace atl::test {
namespace {

constexpr std::size_t top = 2;

void offer(Archive& archive, const ContingencyTable& table, std::uint32_t consequent = 0) {
  RuleRecord record;
  const auto number = static_cast<std::uint32_t>(archive.size());
  record.rule = {Expression::of({0, number, number, false}),
                 Expression::of({1, consequent, consequent, false})};
  record.table = table;
  archive.offer(record, {consequent, number, number});
}

double bound(const ContingencyTable& table) {
  return evaluate(Measure::confidence_low, table);
}

TEST(ArchiveWorth, OfNoRulesIsNothing) {
  EXPECT_EQ(worth_of(Archive(Measure::leverage, 10), top), ArchiveWorth{});
}

TEST(ArchiveWorth, HasTheBestTheFigureOfTheTopAndTheStrongestOfEverySize) {
  Archive archive(Measure::leverage, 10);
  const ContingencyTable broad{1000, 200, 300, 150};  // reaches coverages up to 20%, which are 8
  const ContingencyTable sharp{1000, 10, 300, 10};    // up to 1%, 4
  const ContingencyTable weak{1000, 100, 300, 31};
  for (const auto& table : {broad, sharp, weak}) offer(archive, table);
  const ArchiveWorth worth = worth_of(archive, top);
  EXPECT_DOUBLE_EQ(worth[0], 0.09);
  EXPECT_DOUBLE_EQ(worth[1], 0.09 + 0.007 / 2) << "the second counts half";
  EXPECT_NEAR(worth[2], 4 * bound(sharp) + 4 * bound(broad), 1e-12);

  const ContingencyTable other{1000, 1, 400, 1};  // 0.1%
  offer(archive, other, 1);
  EXPECT_NEAR(worth_of(archive, top)[2], worth[2] + bound(other), 1e-12);
}

TEST(ArchiveWorth, OfMeansCountsDeviationsOnTheSideAskedFor) {
  ContingencyTable table{1000, 100, 1000, 100};
  table.target = {TargetMoments::Side::low, 40, 60, 50, 5, -1};
  Archive archive(Measure::impact, 10);
  offer(archive, table);
  EXPECT_NEAR(worth_of(archive, top)[2], 7 * (2 - 1.96 / 10), 1e-12);
}

TEST(ArchiveWorth, PassesOverWhatIsInfinite) {
  Archive archive(Measure::conviction, 10);
  offer(archive, {1000, 10, 300, 10});
  offer(archive, {1000, 100, 300, 50});
  EXPECT_DOUBLE_EQ(worth_of(archive, top)[0], 1.4);
}

TEST(GainWatch, ManySmallGainsAreOne) {
  GainWatch watch;
  EXPECT_TRUE(watch.look(0, {1, 10, 100}));
  EXPECT_FALSE(watch.look(10, {1.0006, 10, 100}));
  EXPECT_TRUE(watch.look(20, {1.0012, 10, 100}));
  EXPECT_TRUE(watch.look(30, {1.0012, 10.02, 100}));
  EXPECT_TRUE(watch.look(40, {1.0012, 10.02, 100.2}));
  EXPECT_FALSE(watch.look(50, {1.0012, 9, 90}));
  EXPECT_EQ(watch.last_gain(), 40U);
  EXPECT_FALSE(watch.over(89, 50));
  EXPECT_TRUE(watch.over(90, 50));
  EXPECT_FALSE(watch.over(90, 0)) << "no patience has no end";
}

TEST(GainWatch, MayAskForMore) {
  GainWatch watch(0.01);
  EXPECT_TRUE(watch.look(0, {1, 0, 0}));
  EXPECT_FALSE(watch.look(10, {1.009, 0, 0}));
  EXPECT_TRUE(watch.look(20, {1.011, 0, 0}));
  EXPECT_TRUE(watch.goes_on(39, 20));
  EXPECT_FALSE(watch.goes_on(40, 20));
  EXPECT_TRUE(watch.goes_on(39, 0));
  EXPECT_FALSE(watch.goes_on(40, 0)) << "the last gain came in the earlier half";
  EXPECT_EQ(more_generations(100), 400U);
  EXPECT_EQ(more_generations(endless_generations), endless_generations);
}

TEST(GainWatch, GoesOnFromItsSection) {
  GainWatch watch;
  watch.look(20, {1, 2, 3});
  RunState state;
  state.header.generation = 30;
  state.sections.push_back(watch.section());
  GainWatch other;
  other.look(25, {9, 9, 9});
  other.load(state);
  EXPECT_EQ(other.last_gain(), 20U);
  EXPECT_FALSE(other.look(30, {1, 2, 3}));

  state.header.generation = 19;
  EXPECT_THROW(other.load(state), BadBytes);
  state.sections.front().bytes.pop_back();
  EXPECT_THROW(other.load(state), BadBytes);
  state.sections.clear();
  other.load(state);  // of a former version
  EXPECT_EQ(other.last_gain(), 0U);
}

}  // namespace
}  // namespace atl::test
