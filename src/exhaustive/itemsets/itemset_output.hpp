// What becomes of frequent itemsets: they are counted, or listed. The miner is compiled for both.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "src/data/transactions/itemset_sink.hpp"
#include "src/exhaustive/itemsets/itemset_tally.hpp"

namespace atl {

class SearchTrail;

/// Of all frequent sets: all; those with no superset of the same support; those with no superset.
enum class ItemsetFamily { all, closed, maximal };

/// What a search is asked for. Lengths choose from the family.
struct ItemsetLimits {
  std::uint64_t min_count = 1;  ///< transactions that a set is in, at least; above 0
  std::uint32_t min_length = 1;
  std::uint32_t max_length = ~std::uint32_t{0};
  ItemsetFamily family = ItemsetFamily::all;
};

/// A set in the search, from which others grow.
struct Prefix {
  std::uint32_t support;
  std::uint32_t length = 0;   ///< items, perfect extensions apart
  std::uint32_t perfect = 0;  ///< only where sets are counted
};

/// Counts sets of all lengths.
struct CountedItemsets {
  static constexpr bool lists = false;
  ItemsetTally& tally;
  SearchTrail* trail = nullptr;  ///< where other threads get branches from, if there are any
};

/// Bit m of four words: m of 8 bits has `ones` ones.
constexpr auto masks_with_ones = [] {
  std::array<std::array<std::uint64_t, 4>, 9> masks{};
  for (unsigned m = 0; m < 256; ++m) {
    masks[static_cast<std::size_t>(std::popcount(m))][m / 64] |= std::uint64_t{1} << m % 64;
  }
  return masks;
}();

/// Hands sets of the lengths that are asked for to a sink.
struct ListedItemsets {
  static constexpr bool lists = true;
  ItemsetSink& sink;
  ItemsetLimits limits;
  SearchTrail* trail = nullptr;  ///< as above

  void add(std::uint32_t item) const { sink.add(item); }
  void remove() const { sink.remove(); }
  void found(std::uint32_t length, std::uint32_t support) const {
    if (length >= limits.min_length && length <= limits.max_length) sink.found(support);
  }
  /// @param length  of the prefix
  void found(std::uint32_t length, ItemsetBlock block) const {
    for (std::uint32_t ones = 0; ones <= ItemsetBlock::most_items; ++ones) {
      if (length + ones >= limits.min_length && length + ones <= limits.max_length) continue;
      for (std::size_t w = 0; w < 4; ++w) block.frequent[w] &= ~masks_with_ones[ones][w];
    }
    if ((block.frequent[0] | block.frequent[1] | block.frequent[2] | block.frequent[3]) != 0) {
      sink.found(block);
    }
  }
};

}  // namespace atl
