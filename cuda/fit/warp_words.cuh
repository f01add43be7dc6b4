// Integers of 64 and 128 bits among the lanes of a warp.
#pragma once

#include <cstdint>

namespace atl::cuda {

inline constexpr std::uint32_t fit_threads = 256;  ///< of a block
inline constexpr std::uint32_t fit_warps = fit_threads / 32;

/// A value, and its parts of 32 bits.
template <typename T>
struct Parts {
  static constexpr int count = sizeof(T) / 4;
  union {
    T value;
    std::uint32_t words[count];
  };
};

/// @param shuffle  of 32 bits
template <typename T, typename Shuffle>
__device__ __forceinline__ T shuffled(T value, const Shuffle& shuffle) {
  Parts<T> parts;
  parts.value = value;
#pragma unroll
  for (int w = 0; w < Parts<T>::count; ++w) parts.words[w] = shuffle(parts.words[w]);
  return parts.value;
}

template <typename T>
__device__ __forceinline__ T from_lane(T value, std::uint32_t lane) {
  return shuffled(value, [lane](std::uint32_t word) { return __shfl_sync(~0U, word, lane); });
}

/// Lanes below `distance` get their own.
template <typename T>
__device__ __forceinline__ T from_below(T value, std::uint32_t distance) {
  return shuffled(value,
                  [distance](std::uint32_t word) { return __shfl_up_sync(~0U, word, distance); });
}

/// The lowest of the lanes with the greatest value.
template <typename T>
__device__ __forceinline__ std::uint32_t lane_of_greatest(T value) {
  constexpr int count = Parts<T>::count;
  Parts<T> parts;
  parts.value = value;
  const auto upper = static_cast<std::int32_t>(parts.words[count - 1]);
  bool is_greatest = upper == __reduce_max_sync(~0U, upper);
#pragma unroll
  for (int w = count - 2; w >= 0; --w) {
    const std::uint32_t greatest = __reduce_max_sync(~0U, is_greatest ? parts.words[w] : 0U);
    is_greatest = is_greatest && parts.words[w] == greatest;
  }
  return __ffs(__ballot_sync(~0U, is_greatest)) - 1;
}

/// The sum over this lane and all below it.
template <typename T>
__device__ __forceinline__ T sum_upto_lane(T value) {
  const std::uint32_t lane = threadIdx.x % 32;
#pragma unroll
  for (std::uint32_t d = 1; d < 32; d *= 2) {
    const T below = from_below(value, d);
    if (lane >= d) value += below;
  }
  return value;
}

/// Rounded to the nearest, as on the host.
__device__ __forceinline__ double to_double(int value) {
  return value;
}
__device__ __forceinline__ double to_double(long long value) {
  return static_cast<double>(value);
}
/// Converts a number that is not negative.
__device__ __forceinline__ double to_double(__int128 value) {
  const auto upper = static_cast<std::uint64_t>(value >> 64);
  if (upper == 0) return static_cast<double>(static_cast<unsigned long long>(value));
  const int shift = 64 - __clzll(static_cast<long long>(upper));
  const auto kept = static_cast<unsigned long long>(value >> shift);
  const bool more = (value & ((__int128{1} << shift) - 1)) != 0;  // decides between halves
  return ldexp(static_cast<double>(kept | (more ? 1 : 0)), shift);
}

}  // namespace atl::cuda
