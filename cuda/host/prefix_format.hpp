// Types that the host and the kernel of the search for frequent itemsets share. How it searches:
// docs/notes/itemsets-gpu.md.
#pragma once

#include <cstdint>

#include "src/core/host_device.hpp"

namespace atl::cuda {

inline constexpr std::uint32_t warp_lanes = 32, block_warps = 8;

/// Items of transactions by rank, the most frequent first: at most so many.
inline constexpr std::uint32_t most_prefix_items = 512;
/// Sets of the first items of a node are counted in a table: 16 bits an entry if the node's support
/// is below `narrow_support`, else 32 bits.
inline constexpr std::uint32_t table_word_bits = 12;
inline constexpr std::uint32_t narrow_support = 32768;
/// A node with more items than those of a table and these hands its sets out as tasks.
inline constexpr std::uint32_t most_levels = 12;
inline constexpr std::uint32_t most_node_items = table_word_bits + most_levels;

/// Distinct transactions by bits: row r has item 32 w + b if bit b of words[w * rows + r] is set.
struct PrefixRows {
  const std::uint32_t* words;
  const std::uint32_t* weights;  ///< [rows] transactions that are equal to it
  std::uint32_t rows, word_count, items;
  std::uint32_t weight_bits;  ///< all weights are below 2^weight_bits
};

/// A task is a prefix: `word_count` words with a bit for each of its items, the number of perfect
/// extensions that are no bits of it and of higher rank than its lowest item, its support.
inline constexpr std::uint32_t task_extra = 2;

/// Numbers of sets: [copies][perfect][length], as ItemsetTally has them. Blocks add to copies of
/// their own, as far as there are.
struct PrefixTally {
  unsigned long long* sets;
  std::uint32_t copies, items;  ///< perfect and length are at most `items`

  ATOLL_HOST_DEVICE unsigned long long* of_block(std::uint32_t number) const {
    return sets + std::uint64_t{number % copies} * (items + 1) * (items + 1);
  }
};

/// The work that was done.
struct PrefixWork {
  unsigned long long nodes;    ///< sets whose extensions were looked for
  unsigned long long entries;  ///< of tables of sets counted together
  unsigned long long words;    ///< of 32 rows, whose ones were counted
};

/// A launch. All memory is the device's.
struct PrefixLaunch {
  PrefixRows rows;
  std::uint32_t min_count, max_length;
  std::uint32_t node_items;  ///< at most most_node_items
  const std::uint32_t* tasks;
  std::uint32_t task_count;
  std::uint32_t* new_tasks;  ///< room for those that all tasks may hand out
  std::uint32_t* new_count;
  std::uint32_t* taken;  ///< tasks begun; 0 at the launch
  PrefixTally tally;
  PrefixWork* work;
  std::uint32_t* memory;  ///< [blocks][block_words]
  std::uint64_t block_words, block_rows;
};

/// Rows that a block may hold at all levels of a task together, and words of memory for it.
constexpr std::uint64_t prefix_block_rows(std::uint32_t rows, std::uint32_t node_items) {
  return std::uint64_t{rows} * (node_items - table_word_bits + 1);
}
constexpr std::uint64_t prefix_block_words(std::uint32_t rows, std::uint32_t node_items) {
  return 2 * prefix_block_rows(rows, node_items) + rows;
}
/// New tasks of one task, at most.
constexpr std::uint32_t prefix_new_tasks(std::uint32_t items) {
  return items > table_word_bits ? items - table_word_bits : 1;
}

}  // namespace atl::cuda
