#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "src/generate/block_stream.hpp"

namespace atl {

/// Transactions that are computed, a slice at a time, from the seed and their numbers alone: the
/// first ones of a longer file are the shorter one.
class BasketSource {
 public:
  using Take = std::function<void(std::span<const std::uint32_t> items)>;

  virtual ~BasketSource() = default;

  /// Makes the transactions of a slice in order. @param take  gets the items of each, ascending
  /// @pre slice.first is a multiple of slice_rows, and there are slice_rows at most
  virtual void make(RowRange slice, const Take& take) const = 0;
  /// Items of a transaction, about.
  virtual double mean_items() const noexcept = 0;
};

}  // namespace atl
