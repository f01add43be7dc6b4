#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/aligned_words.hpp"
#include "src/exhaustive/pairs/batmap.hpp"
#include "src/exhaustive/pairs/pair_rows.hpp"

namespace atl {

/// The BatMaps of all items, one behind the other.
class BatMaps {
 public:
  /// Blocking, on the threads of the pool.
  /// @param moves  of an insertion, at most
  BatMaps(const PairRows& rows, ThreadPool& pool, unsigned moves = batmap_moves);

  /// Bytes of the entries of all of them.
  static std::uint64_t bytes(const PairRows& rows) noexcept;

  const BatMapLayout& layout() const noexcept { return layout_; }
  BatMapView of(std::uint32_t rank) const noexcept {
    return {{entries() + first_[rank], static_cast<std::size_t>(first_[rank + 1] - first_[rank])},
            aside_[rank]};
  }
  /// All of them: that of a rank begins at first(rank), a multiple of 64.
  const std::uint8_t* entries() const noexcept {
    return reinterpret_cast<const std::uint8_t*>(words_.data());
  }
  std::uint64_t first(std::uint32_t rank) const noexcept { return first_[rank]; }
  /// Elements that found no place, of all items.
  std::uint64_t elements_aside() const noexcept;

 private:
  BatMapLayout layout_;
  std::vector<std::uint64_t> first_;               // [items + 1] bytes
  AlignedWords words_;                             // first_.back() bytes
  std::vector<std::vector<std::uint32_t>> aside_;  // [items]
};

}  // namespace atl
