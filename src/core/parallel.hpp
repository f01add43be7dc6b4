// Loops and sorting that a pool's threads share, where there is a pool. std::execution would take
// threads of its own, whatever --threads says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
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

/// Items by bucket, one bucket after the other.
template <typename Item>
struct Dealt {
  std::unique_ptr<Item[]> items;
  std::vector<std::size_t> begins;  ///< [buckets + 1] of each bucket, and the end

  std::size_t buckets() const noexcept { return begins.size() - 1; }
  /// Those of buckets from `first` up to `end`.
  std::span<Item> of(std::size_t first, std::size_t end) const noexcept {
    return {items.get() + begins[first], begins[end] - begins[first]};
  }
};

/// Deals items to buckets, in which they stay in the order of their indices. Blocking.
/// @tparam Item  needs no constructor
/// @param each  each(index, take) calls take(bucket, item) any number of times. It is called twice
///              for each index in [0, count), with the same outcome
template <typename Item, typename Each>
Dealt<Item> deal_in_parallel(std::size_t count, std::size_t buckets, const Each& each,
                             ThreadPool* pool) {
  constexpr std::size_t most_counts = std::size_t{1} << 25;  // of all pieces
  const std::size_t threads = pool == nullptr ? 1 : pool->threads();
  const std::size_t pieces =
      std::clamp<std::size_t>(most_counts / std::max<std::size_t>(buckets, 1), 1, threads);
  const auto for_each_of = [&](std::size_t piece, const auto& take) {
    const std::size_t end = count * (piece + 1) / pieces;
    for (std::size_t i = count * piece / pieces; i < end; ++i) each(i, take);
  };
  // [pieces][buckets] how many there are, then where the next one comes to lie
  std::vector<std::vector<std::size_t>> next(pieces);
  for_each_index(pool, pieces, [&](std::size_t p) {
    next[p].assign(buckets, 0);
    for_each_of(p, [&](std::size_t bucket, const Item&) { ++next[p][bucket]; });
  });
  Dealt<Item> dealt;
  std::size_t at = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    dealt.begins.push_back(at);
    for (auto& of_piece : next) at += std::exchange(of_piece[bucket], at);
  }
  dealt.begins.push_back(at);
  // Each thread is the first to touch what it writes.
  dealt.items = std::make_unique_for_overwrite<Item[]>(at);
  for_each_index(pool, pieces, [&](std::size_t p) {
    for_each_of(
        p, [&](std::size_t bucket, const Item& item) { dealt.items[next[p][bucket]++] = item; });
  });
  return dealt;
}

}  // namespace atl
