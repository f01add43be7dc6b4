#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "islands/nondominated_sort.hpp"

namespace atl::test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool dominates(std::span<const double> a, std::span<const double> b) {
  bool greater = false;
  for (std::size_t m = 0; m < a.size(); ++m) {
    if (a[m] < b[m]) return false;
    greater |= a[m] > b[m];
  }
  return greater;
}

// By the definition: take away what nothing left dominates, again and again.
std::vector<std::vector<std::uint32_t>> peel(const Objectives& objectives) {
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < objectives.points(); ++i) left.push_back(i);
  std::vector<std::vector<std::uint32_t>> fronts;
  while (!left.empty()) {
    std::vector<std::uint32_t> front;
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t i : left) {
      const bool dominated = std::any_of(left.begin(), left.end(), [&](std::uint32_t j) {
        return dominates(objectives[j], objectives[i]);
      });
      (dominated ? rest : front).push_back(i);
    }
    fronts.push_back(front);
    left = rest;
  }
  return fronts;
}

std::vector<std::vector<std::uint32_t>> sorted(NondominatedSort& sort,
                                               const Objectives& objectives) {
  const auto fronts = sort(objectives);
  return {fronts.begin(), fronts.end()};
}

}  // namespace

TEST(NondominatedSort, PutsHandCheckedPointsIntoFronts) {
  // 0 and 1 are incomparable and the best, 2 is dominated by 1 alone, 3 by 2, 4 equals 1.
  const Objectives points{2, {1, 5, 4, 3, 4, 2, 0, 2, 4, 3}};
  NondominatedSort sort;
  EXPECT_EQ(sorted(sort, points), (std::vector<std::vector<std::uint32_t>>{{0, 1, 4}, {2}, {3}}));
}

TEST(NondominatedSort, OfNothingIsNothing) {
  NondominatedSort sort;
  EXPECT_TRUE(sort(Objectives{3, {}}).empty());
}

TEST(NondominatedSort, EqualsPeelingByTheDefinition) {
  NondominatedSort sort;  // one object, so that leftovers of an earlier call would show
  EXPECT_TRUE(rc::check([&sort] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 5);
    const auto points = *rc::gen::inRange<std::size_t>(0, 40);
    Objectives objectives;
    objectives.count = count;
    for (std::size_t i = 0; i < points * count; ++i) {
      const int value = *rc::gen::inRange(-4, 5);
      objectives.values.push_back(value == -4 ? -infinity : value == 4 ? infinity : value);
    }
    RC_ASSERT(sorted(sort, objectives) == peel(objectives));
  }));
}

TEST(CrowdingDistance, SumsTheNeighboursGapsPerObjective) {
  // Five points on a falling line; extents 8 and 40.
  const Objectives points{2, {0, 40, 1, 30, 3, 20, 4, 10, 8, 0}};
  const std::vector<std::uint32_t> front{0, 1, 2, 3, 4};
  std::vector<double> distance(5, -1);
  crowding_distance(points, front, distance);
  EXPECT_EQ(distance[0], infinity);
  EXPECT_EQ(distance[1], 3.0 / 8 + 20.0 / 40);
  EXPECT_EQ(distance[2], 3.0 / 8 + 20.0 / 40);
  EXPECT_EQ(distance[3], 5.0 / 8 + 20.0 / 40);
  EXPECT_EQ(distance[4], infinity);
}

TEST(CrowdingDistance, WritesOnlyTheFrontAndSkipsAnObjectiveWithoutExtent) {
  const Objectives points{2, {1, 7, 9, 9, 2, 7, 4, 7}};
  const std::vector<std::uint32_t> front{0, 2, 3};
  std::vector<double> distance(4, -1);
  crowding_distance(points, front, distance);
  EXPECT_EQ(distance, (std::vector<double>{infinity, -1, 1, infinity}));
}

TEST(CrowdingDistance, InfiniteValuesCountAsTheWholeExtent) {
  const Objectives points{1, {-infinity, 0, 1, 4, infinity, infinity}};
  const std::vector<std::uint32_t> front{0, 1, 2, 3, 4, 5};
  std::vector<double> distance(6, -1);
  crowding_distance(points, front, distance);
  EXPECT_EQ(distance, (std::vector<double>{infinity, 1, 1, 1, 1, infinity}));
}

TEST(CrowdingDistance, IsNeverNegativeAndNeverNaN) {
  EXPECT_TRUE(rc::check([] {
    Objectives objectives;
    objectives.count = *rc::gen::inRange<std::size_t>(1, 4);
    const auto points = *rc::gen::inRange<std::size_t>(1, 30);
    std::vector<std::uint32_t> front;
    for (std::uint32_t i = 0; i < points; ++i) front.push_back(i);
    for (std::size_t i = 0; i < points * objectives.count; ++i) {
      const int value = *rc::gen::inRange(-3, 4);
      objectives.values.push_back(value == -3 ? -infinity : value == 3 ? infinity : value);
    }
    std::vector<double> distance(points);
    crowding_distance(objectives, front, distance);
    for (const double d : distance) RC_ASSERT(d >= 0);
  }));
}

}  // namespace atl::test
