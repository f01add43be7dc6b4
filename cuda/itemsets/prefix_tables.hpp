// Tables of sets of a block, and the tally that they are added to. Templates as in set_table.hpp.
#pragma once

#include <cstdint>

#include "cuda/itemsets/prefix_memory.hpp"
#include "cuda/itemsets/set_table.hpp"
#include "src/core/host_device.hpp"

namespace atl::cuda {

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
