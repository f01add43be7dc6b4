// Tables of sets of a block, and the tally that they are added to. Templates as in set_table.hpp.
#pragma once

#include <cstdint>

#include "cuda/host/prefix_format.hpp"
#include "cuda/itemsets/prefix_memory.hpp"
#include "cuda/itemsets/set_table.hpp"
#include "src/core/host_device.hpp"

namespace atl::cuda {

/// Turns 32 words of 32 bits: bit b of lane l becomes bit l of lane b.
template <class Block>
ATOLL_HOST_DEVICE typename Block::Value transposed(typename Block::Value word) {
  using Value = typename Block::Value;
  std::uint32_t mask = 0x0000FFFF;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (std::uint32_t width = 16; width != 0; width >>= 1) {
    const Value upper = (Block::lane() & width) != 0U;
    const Value other = Block::rotated_left(
        Block::shuffle_xor(word, width),
        Block::select(upper, Block::constant(32 - width), Block::constant(width)));
    const Value kept = Block::select(upper, Block::constant(~mask), Block::constant(mask));
    word = (word & kept) | (other & ~kept);
    mask ^= mask << (width >> 1);
  }
  return word;
}

/// Transactions of the rows whose bits are set in each lane.
/// @param weight  of the row of each lane
template <class Block>
ATOLL_HOST_DEVICE typename Block::Value weighed(typename Block::Value rows,
                                                typename Block::Value weight,
                                                std::uint32_t weight_bits) {
  typename Block::Value sum = Block::constant(0);
  for (std::uint32_t b = 0; b < weight_bits; ++b) {
    sum = sum + (Block::ones(rows & Block::ballot((weight >> b) & 1)) << b);
  }
  return sum;
}

/// Gives, in lane k, the place of the k-th of the bits that are set.
/// @pre there are more than k in the lanes that matter
template <class Block>
ATOLL_HOST_DEVICE typename Block::Value place_of_bit(std::uint32_t bits) {
  using Value = typename Block::Value;
  Value left = Block::lane();
  Value place = Block::constant(0);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (std::uint32_t width = 16; width != 0; width >>= 1) {
    const Value here = Block::ones((Block::constant(bits) >> place) & ((1U << width) - 1));
    const Value beyond = left >= here;
    left = Block::select(beyond, left - here, left);
    place = Block::select(beyond, place + width, place);
  }
  return place & 31;
}

/// Bits of the lanes below this one.
template <class Block>
ATOLL_HOST_DEVICE typename Block::Value lanes_below() {
  return (Block::constant(1) << Block::lane()) - 1U;
}

/// Has the lanes that have something store it, each at a place of its own behind `found` others.
template <class Block, class Store>
ATOLL_HOST_DEVICE void append(typename Block::Value has, std::uint32_t* found, Store store) {
  const std::uint32_t lanes = Block::ballot(has);
  if (lanes == 0) return;
  const std::uint32_t first = Block::take(found, Block::ones_of(lanes));
  store(Block::ones(lanes_below<Block>() & lanes) + first);
}

template <class Block>
class PrefixTables {
 public:
  using Value = typename Block::Value;

  /// @param sets  the block's copy of the tally
  ATOLL_HOST_DEVICE PrefixTables(const PrefixLaunch& launch, PrefixShared& shared, Block& block,
                                 unsigned long long* sets)
      : launch_(launch), shared_(shared), block_(block), sets_(sets) {}

  /// Number of items that are counted together, of so many items of a node.
  static ATOLL_HOST_DEVICE std::uint32_t table_items(std::uint32_t items, std::uint32_t support) {
    const std::uint32_t most = support < narrow_support ? SetTable<Block, true>::most_items
                                                        : SetTable<Block, false>::most_items;
    return items < most ? items : most;
  }

  /// Adds sets that are `more` longer than a length.
  ATOLL_HOST_DEVICE void tally(std::uint32_t perfect, std::uint32_t length, Value more, Value sets,
                               Value active) {
    Block::add_long(sets_, more + (perfect * (launch_.tally.items + 1) + length), sets, active);
  }

  /// Adds rows with so many items to the table of a node.
  ATOLL_HOST_DEVICE void add(Value mask, Value weight, std::uint32_t items, std::uint32_t support) {
    const Value set = mask & ((1U << items) - 1);
    if (support < narrow_support) {
      SetTable<Block, true>::add(shared_.table, set, weight, set != 0U);
    } else {
      SetTable<Block, false>::add(shared_.table, set, weight, set != 0U);
    }
  }

  /// Tallies all frequent sets of the table's items with the node's.
  ATOLL_HOST_DEVICE void count(std::uint32_t items, std::uint32_t length, std::uint32_t perfect,
                               std::uint32_t support) {
    if (support < narrow_support) {
      SetTable<Block, true>::count(block_, shared_, items, launch_.min_count);
    } else {
      SetTable<Block, false>::count(block_, shared_, items, launch_.min_count);
    }
    block_.each_warp([&](std::uint32_t warp) {
      if (warp != 0) return;
      const Value lane = Block::lane();
      const Value sets = Block::load(shared_.bins, lane, lane < 16U);
      tally(perfect, length, lane, sets, sets > 0U);
      Block::store(shared_.bins, lane, Block::constant(0), lane < 16U);
    });
    work.entries += 1U << items;
  }

  PrefixWork work{};

 private:
  const PrefixLaunch& launch_;
  PrefixShared& shared_;
  Block& block_;
  unsigned long long* const sets_;
};

}  // namespace atl::cuda
