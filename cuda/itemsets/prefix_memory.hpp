// Shared memory of a block that searches for frequent itemsets.
#pragma once

#include <cstdint>

#include "cuda/host/prefix_format.hpp"

namespace atl::cuda {

/// A set, and the transactions that have it, by the items that may extend it.
struct PrefixNode {
  std::uint32_t begin, rows;  ///< in the block's memory
  std::uint32_t items, next;  ///< next: whose sets come next
  std::uint32_t length, perfect, support;
  std::uint32_t supports[warp_lanes];  ///< [items]
};

struct PrefixShared {
  std::uint32_t table[1U << table_word_bits];  ///< zero between tables
  std::uint32_t counts[most_prefix_items];
  std::uint32_t names[most_prefix_items];  ///< ranks of a task's items
  std::uint32_t prefix[most_prefix_items / 32], perfect[most_prefix_items / 32];
  std::uint32_t bins[16];  ///< sets of a table by length; zero between tables
  std::uint32_t found[2];  ///< rows, in turns
  std::uint32_t task, items, first_new;
  PrefixNode nodes[most_levels + 2];
};

}  // namespace atl::cuda
