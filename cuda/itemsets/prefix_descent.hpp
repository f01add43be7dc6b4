// The sets that grow from a task, depth first. Templates as in set_table.hpp.
#pragma once

#include <cstdint>

#include "cuda/itemsets/prefix_memory.hpp"
#include "cuda/itemsets/prefix_tables.hpp"
#include "src/core/host_device.hpp"

namespace atl::cuda {

template <class Block>
class PrefixDescent {
 public:
  using Value = typename Block::Value;

  /// @param masks, weights  rows of nodes, those of shared.nodes[0] first
  ATOLL_HOST_DEVICE PrefixDescent(const PrefixLaunch& launch, PrefixShared& shared, Block& block,
                                  PrefixTables<Block>& tables, std::uint32_t* masks,
                                  std::uint32_t* weights)
      : launch_(launch),
        shared_(shared),
        block_(block),
        tables_(tables),
        masks_(masks),
        weights_(weights) {}

  /// All below nodes[0], whose table has been counted. @pre shared.found[0] is 0
  ATOLL_HOST_DEVICE void search() {
    std::uint32_t depth = 0;
    turn_ = 0;
    while (true) {
      const PrefixNode& node = shared_.nodes[depth];
      if (node.next == node.items) {
        if (depth == 0) return;
        --depth;
      } else if (grow(shared_.nodes[depth], shared_.nodes[depth + 1])) {
        ++depth;
      }
    }
  }

  /// Fills a node. One thread calls it.
  ATOLL_HOST_DEVICE void set_node(PrefixNode& node, std::uint32_t begin, std::uint32_t rows,
                                  std::uint32_t items, std::uint32_t length, std::uint32_t perfect,
                                  std::uint32_t support) {
    node.begin = begin;
    node.rows = rows;
    node.items = items;
    node.next = tables_.table_items(items, support);
    node.length = length;
    node.perfect = perfect;
    node.support = support;
  }

 private:
  /// The sets with the next item of a node; true if more are to be searched below.
  ATOLL_HOST_DEVICE bool grow(PrefixNode& node, PrefixNode& below) {
    const std::uint32_t item = node.next;
    const std::uint32_t begin = node.begin + node.rows;
    const std::uint32_t length = node.length + 1;
    const std::uint32_t support = node.supports[item];
    std::uint32_t perfect = node.perfect;
    std::uint32_t items = 0, rows = 0;
    tables_.work.nodes += 1;
    if (length < launch_.max_length) {
      rows = take_rows(node, item, begin);
      count_rows(rows, item, begin);
    }
    block_.each_warp([&](std::uint32_t warp) {
      const Value lane = Block::lane();
      std::uint32_t kept = 0;
      if (length < launch_.max_length) {
        const Value count = Block::load(shared_.counts, lane, Block::all());
        const Value frequent = (lane < item) & (count >= launch_.min_count);
        kept = Block::ballot(frequent & (count != support));
        perfect = node.perfect + Block::ones_of(Block::ballot(frequent & (count == support)));
        if (warp == 0) {
          Block::store(below.supports, Block::ones(lanes_below<Block>() & kept), count,
                       (Block::constant(kept) >> lane) & 1);
        }
      }
      items = Block::ones_of(kept);
      if (warp == 0) {
        tables_.tally(perfect, length, Block::constant(0), Block::constant(1), lane == 0U);
      }
      if (items > 0) project(warp, rows, begin, kept, item, support);
    });
    const std::uint32_t in_table = tables_.table_items(items, support);
    const bool deeper = items > in_table;
    block_.leader([&] {
      node.next = item + 1;
      if (!deeper) return;
      set_node(below, begin, rows, items, length, perfect, support);
    });
    if (items > 0) {
      tables_.count(in_table, length, perfect, support);
    } else {
      block_.sync();
    }
    return deeper;
  }

  /// Takes those of the node's rows that have the item, by the items before it, to `begin`.
  ATOLL_HOST_DEVICE std::uint32_t take_rows(const PrefixNode& node, std::uint32_t item,
                                            std::uint32_t begin) {
    std::uint32_t* const found = &shared_.found[turn_];
    block_.each_warp([&](std::uint32_t warp) {
      for (std::uint32_t first = warp * warp_lanes; first < node.rows;
           first += warp_lanes * block_warps) {
        const Value at = Block::lane() + first;
        const Value mask = Block::load(masks_ + node.begin, at, at < node.rows);
        const Value weight = Block::load(weights_ + node.begin, at, at < node.rows);
        const Value rest = mask & ((1U << item) - 1);
        const Value has = ((mask >> item) & 1) & (rest != 0U);
        append<Block>(has, found, [&](Value to) {
          Block::store(masks_ + begin, to, rest, has);
          Block::store(weights_ + begin, to, weight, has);
        });
      }
      if (warp == 0) {
        Block::store(shared_.counts, Block::lane(), Block::constant(0), Block::all());
      }
    });
    turn_ ^= 1;
    return *found;
  }

  /// Transactions with each of the items.
  ATOLL_HOST_DEVICE void count_rows(std::uint32_t rows, std::uint32_t items, std::uint32_t begin) {
    block_.leader([&] { shared_.found[turn_] = 0; });
    block_.each_warp([&](std::uint32_t warp) {
      Value sum = Block::constant(0);
      for (std::uint32_t first = warp * warp_lanes; first < rows;
           first += warp_lanes * block_warps) {
        const Value at = Block::lane() + first;
        const Value mask = Block::load(masks_ + begin, at, at < rows);
        const Value weight = Block::load(weights_ + begin, at, at < rows);
        sum = sum + weighed<Block>(transposed<Block>(mask), weight, launch_.rows.weight_bits);
      }
      Block::add(shared_.counts, Block::lane(), sum, (sum > 0U) & (Block::lane() < items));
    });
    tables_.work.words += std::uint64_t{(rows + 31) / 32} * 32 * launch_.rows.weight_bits;
  }

  /// The rows, by the items that are kept, to the table, and back to where they are if these are
  /// more than the table's.
  ATOLL_HOST_DEVICE void project(std::uint32_t warp, std::uint32_t rows, std::uint32_t begin,
                                 std::uint32_t kept, std::uint32_t item, std::uint32_t support) {
    const std::uint32_t items = Block::ones_of(kept);
    const std::uint32_t in_table = tables_.table_items(items, support);
    const Value source = place_of_bit<Block>(kept);
    for (std::uint32_t first = warp * warp_lanes; first < rows; first += warp_lanes * block_warps) {
      const Value at = Block::lane() + first;
      Value mask = Block::load(masks_ + begin, at, at < rows);
      const Value weight = Block::load(weights_ + begin, at, at < rows);
      if (items < item) {
        const Value column = Block::shuffle(transposed<Block>(mask), source);
        mask = transposed<Block>(Block::select(Block::lane() < items, column, Block::constant(0)));
      }
      tables_.add(mask, weight, in_table, support);
      if (items > in_table) Block::store(masks_ + begin, at, mask, at < rows);
    }
  }

  const PrefixLaunch& launch_;
  PrefixShared& shared_;
  Block& block_;
  PrefixTables<Block>& tables_;
  std::uint32_t *const masks_, *const weights_;
  std::uint32_t turn_ = 0;  // of `found`
};

}  // namespace atl::cuda
