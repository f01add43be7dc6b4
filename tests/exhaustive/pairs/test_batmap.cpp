#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "src/core/random.hpp"
#include "src/exhaustive/pairs/batmap.hpp"

namespace atl::test {
namespace {

using Elements = std::vector<std::uint32_t>;

struct Map {
  std::vector<std::uint8_t> entries;
  Elements aside;
  BatMapView view() const { return {entries, aside}; }
};

Map map_of(const BatMapLayout& layout, const Elements& elements, std::uint64_t width,
           unsigned moves = batmap_moves) {
  Map map{std::vector<std::uint8_t>(3 * width), {}};
  map.aside = fill_batmap(layout, elements, width, map.entries, moves);
  return map;
}

Map map_of(const BatMapLayout& layout, const Elements& elements) {
  return map_of(layout, elements, layout.width_for(elements.size()));
}

/// Ascending, none twice.
Elements drawn(RandomStream& draw, std::uint64_t universe, std::size_t number) {
  std::set<std::uint32_t> elements;
  while (elements.size() < number) {
    elements.insert(static_cast<std::uint32_t>(draw.below(universe)));
  }
  return {elements.begin(), elements.end()};
}

std::size_t in_common(const Elements& a, const Elements& b) {
  Elements both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return static_cast<std::size_t>(
      std::distance(both.begin(), std::unique(both.begin(), both.end())));
}

void expect_common(const BatMapLayout& layout, const Map& a, const Map& b, std::size_t common) {
  ASSERT_EQ(count_common(layout, a.view(), b.view()), common);
  ASSERT_EQ(count_common(layout, b.view(), a.view()), common);
  const Map& wide = a.entries.size() < b.entries.size() ? b : a;
  const Map& small = a.entries.size() < b.entries.size() ? a : b;
  ASSERT_EQ(count_common(wide.entries, small.entries),
            count_common_reference(wide.entries, small.entries));
}

TEST(BatMap, EachTableIsAPermutation) {
  for (const std::uint64_t universe : {1U, 2U, 127U, 128U, 300U, 5000U}) {
    const BatMapLayout layout(universe);
    const std::uint64_t numbers = BatMapLayout::codes << layout.shift();
    ASSERT_GE(numbers, universe);
    for (unsigned table = 0; table < BatMapLayout::tables; ++table) {
      std::vector<bool> met(numbers);
      for (std::uint64_t element = 0; element < numbers; ++element) {
        const std::uint64_t permuted = layout.permuted(table, element);
        ASSERT_LT(permuted, numbers);
        ASSERT_FALSE(met[permuted]);
        met[permuted] = true;
        ASSERT_EQ(layout.element(table, permuted), element);
      }
    }
  }
}

TEST(BatMap, APlaceAndACodeTellTheElement) {
  const std::uint64_t universe = std::uint64_t{1} << 32;
  const BatMapLayout layout(universe);
  EXPECT_EQ(layout.unit(), std::uint64_t{1} << 26);
  RandomStream draw({1, 0, 0, 0, Purpose::test});
  for (int k = 0; k < 1000; ++k) {
    const std::uint64_t element = k == 0 ? universe - 1 : draw.below(universe);
    const auto table = static_cast<unsigned>(draw.below(3));
    const std::uint64_t permuted = layout.permuted(table, element);
    const std::uint64_t width = layout.unit() << draw.below(4);
    const std::uint8_t code = layout.code(permuted);
    ASSERT_GE(code, 1);
    ASSERT_LE(code, 127);
    ASSERT_EQ(layout.permuted_at(layout.place(table, permuted, width), code), permuted);
    ASSERT_EQ(layout.element(table, permuted), element);
  }
}

TEST(BatMap, EachElementIsInTwoPlacesAndMarkedInOne) {
  const BatMapLayout layout(20000);
  RandomStream draw({2, 0, 0, 0, Purpose::test});
  const Elements elements = drawn(draw, 20000, 900);
  const Map map = map_of(layout, elements);
  const auto used = std::ranges::count_if(map.entries, [](std::uint8_t e) { return e != 0; });
  const auto marked =
      std::ranges::count_if(map.entries, [](std::uint8_t e) { return (e & 0x80) != 0; });
  EXPECT_EQ(static_cast<std::size_t>(used), 2 * (elements.size() - map.aside.size()));
  EXPECT_EQ(used, 2 * marked);
  for (std::uint32_t element = 0; element < 20000; ++element) {
    const bool has = std::ranges::binary_search(elements, element) &&
                     !std::ranges::binary_search(map.aside, element);
    ASSERT_EQ(batmap_has(layout, map.entries, element), has);
  }
}

TEST(BatMap, EmptyPlacesCountWithNothing) {
  // The paper's formula counts an element whose seven bits are those of an empty place.
  EXPECT_EQ(common_entries(0x00000000, 0x81ff7f01), 0U);
  EXPECT_EQ(common_entries(0x80808080, 0x80808080), 0x80808080U);
  EXPECT_EQ(common_entries(0x01028384, 0x81020304), 0x80008080U);
  for (std::uint32_t x = 0; x < 256; ++x) {
    for (std::uint32_t y = 0; y < 256; ++y) {
      const bool counts = (x & 0x7f) == (y & 0x7f) && ((x | y) & 0x80) != 0;
      ASSERT_EQ(common_entries(x << 8, y << 8), counts ? 0x8000U : 0U);
    }
  }
}

TEST(BatMap, CountsWhatTwoSetsHaveInCommon) {
  EXPECT_TRUE(rc::check([] {
    const auto universe = *rc::gen::inRange<std::uint64_t>(1, 30000);
    RandomStream draw({*rc::gen::arbitrary<std::uint64_t>(), 0, 0, 0, Purpose::test});
    const BatMapLayout layout(universe);
    const Elements a = drawn(draw, universe, draw.below(std::min<std::uint64_t>(universe, 2000)));
    const Elements b = drawn(draw, universe, draw.below(std::min<std::uint64_t>(universe, 90)));
    expect_common(layout, map_of(layout, a), map_of(layout, b), in_common(a, b));
    RC_ASSERT(!testing::Test::HasFatalFailure());
  }));
}

TEST(BatMap, WidthsOfAnyRatioAreCompared) {
  const BatMapLayout layout(8000);
  RandomStream draw({3, 0, 0, 0, Purpose::test});
  const Elements few = drawn(draw, 8000, 20), many = drawn(draw, 8000, 4000);
  const Map small = map_of(layout, few);
  ASSERT_EQ(small.entries.size(), 192U);
  for (std::uint64_t ratio = 1; ratio <= 1024; ratio *= 2) {
    SCOPED_TRACE(ratio);
    const Map wide = map_of(layout, few, 64 * ratio);
    expect_common(layout, wide, small, few.size());
    if (64 * ratio < 8192) continue;
    expect_common(layout, map_of(layout, many, 64 * ratio), small, in_common(few, many));
    expect_common(layout, map_of(layout, many, 64 * ratio), map_of(layout, many), many.size());
  }
}

TEST(BatMap, ElementsThatRepeatCountOnce) {
  const BatMapLayout layout(100);
  const Map map = map_of(layout, {3, 3, 3, 7, 8, 8, 99});
  expect_common(layout, map, map, 4);
  expect_common(layout, map, map_of(layout, {3, 8, 9}), 2);
}

TEST(BatMap, WhatFindsNoPlaceIsCountedAside) {
  RandomStream draw({4, 0, 0, 0, Purpose::test});
  const BatMapLayout layout(3000);
  const Elements a = drawn(draw, 3000, 700), b = drawn(draw, 3000, 400);
  for (const unsigned moves : {0U, 1U, 2U, 3U, 7U}) {
    for (const std::uint64_t width : {64U, 128U, 1024U}) {  // too narrow, and not
      SCOPED_TRACE(moves);
      const Map first = map_of(layout, a, width, moves), second = map_of(layout, b);
      EXPECT_TRUE(moves > 0 || first.aside == a);
      EXPECT_TRUE(width > 64 || first.aside.size() > 600);
      expect_common(layout, first, second, in_common(a, b));
      expect_common(layout, first, map_of(layout, b, 64, moves), in_common(a, b));
      expect_common(layout, first, first, a.size());
    }
  }
}

TEST(BatMap, HoldsElementsOfTheLargestUniverse) {
  const std::uint64_t universe = std::uint64_t{1} << 32;
  const BatMapLayout layout(universe);  // the least maps have 192 MiB
  RandomStream draw({5, 0, 0, 0, Purpose::test});
  Elements a = drawn(draw, universe, 1000), b = drawn(draw, universe, 1000);
  a.push_back(~0U);
  b.push_back(~0U);
  b.insert(b.begin(), a.begin(), a.begin() + 100);
  std::ranges::sort(b);
  expect_common(layout, map_of(layout, a), map_of(layout, b), in_common(a, b));
}

TEST(BatMap, IsTheSameForEachInstructionSet) {
  RandomStream draw({6, 0, 0, 0, Purpose::test});
  const BatMapLayout layout(40000);
  // More than a byte can count, before sums are made.
  const Elements a = drawn(draw, 40000, 20000), b = drawn(draw, 40000, 15000);
  const Map first = map_of(layout, a), second = map_of(layout, b);
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    expect_common(layout, first, second, in_common(a, b));
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace atl::test
