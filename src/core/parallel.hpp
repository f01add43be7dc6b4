// Loops and sorting that a pool's threads share, where there is a pool. std::execution would take
// threads of its own, whatever --threads says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "src/core/thread_pool.hpp"

namespace atl {

/// Calls work(index) for index in [0, count), in any order; one after the other without a pool.
/// Blocking.
template <typename Work>
void for_each_index(ThreadPool* pool, std::size_t count, const Work& work) {
  if (pool == nullptr) {
    for (std::size_t i = 0; i < count; ++i) work(i);
  } else {
    pool->wait(pool->submit(count, [&](std::size_t i, unsigned) { work(i); }));
  }
}

/// Sorts: pieces first, which are then merged. Blocking.
/// @param less  of two items that are not the same one is less, so that the order depends on no
///              number of threads
template <typename Item, typename Less>
void sort_in_parallel(std::vector<Item>& items, const Less& less, ThreadPool* pool) {
  constexpr std::size_t least = std::size_t{1} << 14;  // items of a piece
  const std::size_t threads = pool == nullptr ? 1 : pool->threads();
  std::size_t pieces = 1;
  while (pieces < threads && items.size() / (2 * pieces) >= least) pieces *= 2;
  const auto begin = [&](std::size_t piece) {
    return items.begin() + static_cast<std::ptrdiff_t>(items.size() * piece / pieces);
  };
  for_each_index(pool, pieces, [&](std::size_t p) { std::sort(begin(p), begin(p + 1), less); });
  for (std::size_t width = 1; width < pieces; width *= 2) {
    for_each_index(pool, pieces / (2 * width), [&](std::size_t i) {
      const std::size_t first = 2 * width * i;
      std::inplace_merge(begin(first), begin(first + width), begin(first + 2 * width), less);
    });
  }
}

}  // namespace atl
