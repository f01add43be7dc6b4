// Convolutions that distributions of supports are made of, for the instruction set at hand.
#pragma once

#include <cstddef>

namespace atl {

/// Zeros that an array has before its first value and behind its last one, so that whole registers
/// can be read there.
inline constexpr std::size_t convolution_room = 32;

/// out[k] = the sum of a[i] b[first + k - i] over all i, in ascending order, for k below `size`.
/// @param b  [b_size] with convolution_room zeros before and behind
/// @param out  [size] and room for convolution_room values more, which are overwritten
void convolve(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
              std::size_t first, std::size_t size, double* out);

/// Memory for distribute().
class SmallParts {
 public:
  static constexpr std::size_t parts = 4, rows = 8;  ///< of each part

  double* part(std::size_t number) noexcept {
    return memory_ + number * (size + convolution_room) + convolution_room;
  }

 private:
  static constexpr std::size_t size = 32;  // of a pair of parts, and what is written behind it
  double memory_[(parts + 2) * (size + convolution_room) + convolution_room] = {};
};

/// The distribution of how many of up to 32 transactions exist. It adds one transaction after the
/// other to each of four parts, and then convolves the parts in pairs.
/// @param probabilities  [SmallParts::parts * SmallParts::rows], 0 where there is no transaction
/// @param out  [33], with room for convolution_room values more
void distribute(const double* probabilities, SmallParts& scratch, double* out);

}  // namespace atl
