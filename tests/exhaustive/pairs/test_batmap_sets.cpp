#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/exhaustive/pairs/batmap_sets.hpp"

namespace atl::test {
namespace {

using Elements = std::vector<std::uint32_t>;

struct Mapped {
  Elements elements;
  std::vector<std::uint8_t> entries;
  Elements aside;
  BatMapView view() const { return {entries, aside}; }
};

Mapped mapped(const BatMapLayout& layout, RandomStream& draw, std::uint64_t universe,
              std::size_t number, unsigned moves) {
  std::set<std::uint32_t> drawn;
  while (drawn.size() < number) drawn.insert(static_cast<std::uint32_t>(draw.below(universe)));
  Mapped map{{drawn.begin(), drawn.end()}, {}, {}};
  const std::uint64_t width = layout.width_for(number);
  map.entries.resize(3 * width);
  map.aside = fill_batmap(layout, map.elements, width, map.entries, moves);
  return map;
}

/// Sets of many sizes, so that maps are wider and narrower than the first.
void expect_common(std::uint64_t universe, const std::vector<std::size_t>& sizes, unsigned moves,
                   std::uint32_t seed) {
  RandomStream draw({seed, 0, 0, 0, Purpose::test});
  const BatMapLayout layout(universe);
  std::vector<Mapped> maps;
  for (const std::size_t size : sizes) {
    maps.push_back(mapped(layout, draw, universe, size, moves));
  }
  std::vector<BatMapView> others;
  std::uint64_t expected = 0;
  for (const std::uint32_t element : maps[0].elements) {
    expected += std::all_of(maps.begin() + 1, maps.end(), [&](const Mapped& map) {
      return std::ranges::binary_search(map.elements, element);
    });
  }
  for (std::size_t i = 1; i < maps.size(); ++i) others.push_back(maps[i].view());
  EXPECT_EQ(count_common_of_all(layout, maps[0].elements, maps[0].view(), others), expected)
      << "seed " << seed << ", moves " << moves;
}

TEST(BatMapSets, HaveInCommonWhatAllOfThemHave) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    for (const unsigned moves : {1U, batmap_moves}) {
      expect_common(1000, {400, 700, 900}, moves, seed);
      expect_common(300, {200, 40, 299, 300, 250}, moves, seed);
      expect_common(5000, {4900, 300, 2500}, moves, seed);
      expect_common(5000, {30, 4800, 4900, 4990}, moves, seed);
    }
  }
}

TEST(BatMapSets, OfOneAreAllOfItsElements) {
  expect_common(1000, {400}, batmap_moves, 1);
  expect_common(1000, {0, 50}, batmap_moves, 2);
}

TEST(BatMapSets, AreAsManyAsAByteCounts) {
  expect_common(200, std::vector<std::size_t>(most_met_sets + 1, 199), batmap_moves, 3);
}

}  // namespace
}  // namespace atl::test
