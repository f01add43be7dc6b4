#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "src/core/portable_math.hpp"
#include "src/core/random.hpp"
#include "src/generate/block_stream.hpp"

namespace atl {

// Draws of which generated transactions are made have the same bits on every machine.

/// Draws from the exponential distribution of mean 1.
inline double draw_exponential(RandomStream& stream) noexcept {
  return -portable_log(1 - stream.next_double());
}

/// @param limit  e to the -mean. Takes as many draws as it returns, and one (Knuth, The Art of
///               Computer Programming, volume 2, 3.4.1)
inline std::uint32_t draw_poisson(RandomStream& stream, double limit) noexcept {
  std::uint32_t count = 0;
  for (double product = stream.next_double(); product > limit; product *= stream.next_double()) {
    ++count;
  }
  return count;
}

/// Draws from the normal distribution of mean 0 and variance 1.
inline double draw_normal(RandomStream& stream) noexcept {
  double p = 0;
  while (p == 0) p = stream.next_double();
  return normal_quantile(p);
}

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
