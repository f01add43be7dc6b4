// A table with an entry for each set of up to 13 items, by the set's bits: at first the number of
// transactions that have these of the items and no others, in the end that of those that have these
// and any others (the zeta transform of the lattice of subsets; Yates 1937). Templates, for the
// device and for tests on the host: a Block is one of block_warps warps, and Block::Value a number
// in each lane of a warp.
#pragma once

#include <cstdint>

#include "cuda/itemsets/prefix_memory.hpp"
#include "src/core/host_device.hpp"

namespace atl::cuda {

/// Narrow: two entries of 16 bits, of sets that differ in the first item, in a word.
/// The words are 2^word_bits, at least 2^8. They are permuted so that lanes of a warp never meet in
/// a bank of shared memory, whichever four bits of the place each of them works on.
template <class Block, bool Narrow>
class SetTable {
 public:
  using Value = typename Block::Value;
  static constexpr std::uint32_t most_items = table_word_bits + (Narrow ? 1 : 0);

  static ATOLL_HOST_DEVICE std::uint32_t word_bits(std::uint32_t items) {
    const std::uint32_t bits = Narrow ? items - 1 : items;
    return bits < 8 ? 8 : bits;
  }

  /// Adds transactions that have a set. Lanes that are not active have any set.
  static ATOLL_HOST_DEVICE void add(std::uint32_t* table, Value set, Value weight, Value active) {
    if constexpr (Narrow) {
      Block::add(table, place(set >> 1), weight << ((set & 1) << 4), active);
    } else {
      Block::add(table, place(set), weight, active);
    }
  }

  /// Adds the frequent sets to shared.bins by their number of items, and clears the table. The
  /// empty set is none of them.
  static ATOLL_HOST_DEVICE void count(Block& block, PrefixShared& shared, std::uint32_t items,
                                      std::uint32_t min_count) {
    const std::uint32_t bits = word_bits(items);
    switch (bits) {
      case 8:
        break;
      case 9:
        add_high<2>(block, shared.table);
        break;
      case 10:
        add_high<4>(block, shared.table);
        break;
      case 11:
        add_high<8>(block, shared.table);
        break;
      default:
        add_high<16>(block, shared.table);
    }
    const std::uint32_t groups = 1U << (bits - 4);
    block.each_warp([&](std::uint32_t warp) {
      if (warp * warp_lanes >= groups) return;
      const Value group = Block::lane() + warp * warp_lanes;
      const Value first = ((group >> 4) << 8) + (group & 15);
      Value words[16];
      for_all<16>([&](std::uint32_t k) {
        words[k] = Block::load(shared.table, place(first + (k << 4)), group < groups);
      });
      add_supersets<16>(words);
      for_all<16>([&](std::uint32_t k) {
        Block::store(shared.table, place(first + (k << 4)), words[k], group < groups);
      });
    });
    block.each_warp([&](std::uint32_t warp) {
      if (warp * warp_lanes < groups) count_last(shared, warp, groups, min_count);
    });
  }

 private:
  static ATOLL_HOST_DEVICE Value place(Value word) {
    return word ^ ((word >> 5) & 15) ^ (((word >> 8) & 1) << 4);
  }

  template <std::uint32_t Count, class Action>
  static ATOLL_HOST_DEVICE void for_all(Action action) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (std::uint32_t k = 0; k < Count; ++k) action(k);
  }

  template <std::uint32_t Count>
  static ATOLL_HOST_DEVICE void add_supersets(Value* words) {
    for_all<4>([&](std::uint32_t b) {
      for_all<Count>([&](std::uint32_t k) {
        if ((k & (1U << b)) == 0 && (k | (1U << b)) < Count) {
          words[k] = words[k] + words[k | (1U << b)];
        }
      });
    });
  }

  /// The bits from 8 on.
  template <std::uint32_t Count>
  static ATOLL_HOST_DEVICE void add_high(Block& block, std::uint32_t* table) {
    block.each_warp([&](std::uint32_t warp) {
      const Value first = Block::lane() + warp * warp_lanes;
      Value words[Count];
      for_all<Count>([&](std::uint32_t k) {
        words[k] = Block::load(table, place(first + (k << 8)), Block::all());
      });
      add_supersets<Count>(words);
      for_all<Count>([&](std::uint32_t k) {
        Block::store(table, place(first + (k << 8)), words[k], Block::all());
      });
    });
  }

  /// The bits up to 4, after which the entries are counted.
  static ATOLL_HOST_DEVICE void count_last(PrefixShared& shared, std::uint32_t warp,
                                           std::uint32_t groups, std::uint32_t min_count) {
    const Value group = Block::lane() + warp * warp_lanes;
    const Value active = group < groups;
    Value words[16];
    for_all<16>([&](std::uint32_t k) {
      const Value at = place((group << 4) + k);
      words[k] = Block::load(shared.table, at, active);
      Block::store(shared.table, at, Block::constant(0), active);
    });
    add_supersets<16>(words);
    if constexpr (Narrow) {
      for_all<16>([&](std::uint32_t k) { words[k] = words[k] + (words[k] >> 16); });
      words[0] = Block::select(group == 0U, words[0] & 0xFFFF0000U, words[0]);
    } else {
      words[0] = Block::select(group == 0U, Block::constant(0), words[0]);
    }
    // Sums over the words with c of the four bits: sets of c items more, in the upper half c + 1.
    Value sums[5];
    for_all<5>([&](std::uint32_t c) { sums[c] = Block::constant(0); });
    const std::uint32_t up = (0x8000U - min_count) * 0x10001U;
    for_all<16>([&](std::uint32_t k) {
      const std::uint32_t c = (k & 1) + (k >> 1 & 1) + (k >> 2 & 1) + (k >> 3 & 1);
      if constexpr (Narrow) {
        sums[c] = sums[c] + (((words[k] + up) >> 15) & 0x00010001U);
      } else {
        sums[c] = sums[c] + (words[k] >= min_count);
      }
    });
    // A byte for each number of items: a warp has at most 252 sets with the same.
    Value low = sums[0] & 0xFFFFU, high = sums[4] & 0xFFFFU;
    for_all<3>([&](std::uint32_t c) { low = low | ((sums[c + 1] & 0xFFFFU) << (8 * (c + 1))); });
    if constexpr (Narrow) {
      for_all<3>([&](std::uint32_t c) { low = low + ((sums[c] >> 16) << (8 * (c + 1))); });
      high = high + (sums[3] >> 16) + ((sums[4] >> 16) << 8);
    }
    add_to_bins(shared, warp, low, high);
  }

  static ATOLL_HOST_DEVICE void add_to_bins(PrefixShared& shared, std::uint32_t warp, Value low,
                                            Value high) {
    const Value ones = Block::ones(Block::lane());
    const Value shift = (ones & 3) << 3;
    const Value carry = (low >> 1) >> (31U - shift);
    Value bytes0 = low << shift;
    Value bytes1 = (high << shift) | carry;
    Value bytes2 = (high >> 1) >> (31U - shift);
    const Value far = ones >= 4U;
    bytes2 = Block::select(far, bytes1, bytes2);
    bytes1 = Block::select(far, bytes0, bytes1);
    bytes0 = Block::select(far, Block::constant(0), bytes0);
    const std::uint32_t sum0 = Block::sum(bytes0);
    const std::uint32_t sum1 = Block::sum(bytes1);
    const std::uint32_t sum2 = Block::sum(bytes2);
    const Value lane = Block::lane();
    Value bytes = Block::select(lane < 4U, Block::constant(sum0), Block::constant(sum1));
    bytes = Block::select(lane < 8U, bytes, Block::constant(sum2));
    const Value sets = (bytes >> ((lane & 3) << 3)) & 255U;
    const std::uint32_t more = (warp & 1) + (warp >> 1 & 1) + (warp >> 2 & 1);
    Block::add(shared.bins, lane + more, sets, (lane < 11U) & (sets > 0U));
  }
};

}  // namespace atl::cuda
