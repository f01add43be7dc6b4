// Teams of threads, not of ranks. A team looks at an attribute's codes together: a warp, or a block
// where it has thousands. All threads of a team call each function, and those that return one value
// return the same in all.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Integers of 64 and 128 bits among the lanes of a warp.
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

struct Warp {
  static constexpr std::uint32_t size = 32;
  static __device__ __forceinline__ std::uint32_t rank() { return threadIdx.x % 32; }

  __device__ __forceinline__ uint2 sum(uint2 of) const {
    return make_uint2(__reduce_add_sync(~0U, of.x), __reduce_add_sync(~0U, of.y));
  }
  __device__ __forceinline__ bool any(bool is) const { return __any_sync(~0U, is); }

  template <typename T>
  __device__ __forceinline__ T from(T value, std::uint32_t rank) const {
    return from_lane(value, rank);
  }
  /// The sum over this thread and all below it.
  template <typename T>
  __device__ __forceinline__ T sum_upto(T value) const {
    return sum_upto_lane(value);
  }
  /// The rank of the first or the last of the threads with the greatest value.
  template <typename T>
  __device__ __forceinline__ std::uint32_t first_of_greatest(T value) const {
    return lane_of_greatest(value);
  }
  template <typename T>
  __device__ __forceinline__ std::uint32_t last_of_greatest(T value) const {
    return 31 - lane_of_greatest(from_lane(value, 31 - rank()));
  }
  /// The least of all threads below, of equals the last, with its code. The first keeps its own.
  template <typename T>
  __device__ __forceinline__ void least_below(T& least, std::uint32_t& code) const {
    least_upto(least, code);
    least = from_below(least, 1);
    code = from_below(code, 1);
  }
  template <typename T>
  __device__ __forceinline__ void least_upto(T& least, std::uint32_t& code) const {
#pragma unroll
    for (std::uint32_t d = 1; d < 32; d *= 2) {
      const T other = from_below(least, d);
      const std::uint32_t other_code = from_below(code, d);
      if (rank() >= d && other < least) {
        least = other;
        code = other_code;
      }
    }
  }
};

/// Shared memory of a Block: a value of each warp.
struct BlockMemory {
  alignas(16) unsigned char values[fit_warps][16];
  std::uint32_t codes[fit_warps];
};

class Block {
 public:
  static constexpr std::uint32_t size = fit_threads;
  static __device__ __forceinline__ std::uint32_t rank() { return threadIdx.x; }

  __device__ explicit Block(BlockMemory& memory) : memory_(&memory) {}

  __device__ __forceinline__ uint2 sum(uint2 of) const {
    of = Warp{}.sum(of);
    if (lane() == 0) value_of<uint2>(warp()) = of;
    __syncthreads();
    of = make_uint2(0, 0);
    for (std::uint32_t w = 0; w < fit_warps; ++w) {
      of.x += value_of<uint2>(w).x;
      of.y += value_of<uint2>(w).y;
    }
    __syncthreads();
    return of;
  }
  __device__ __forceinline__ bool any(bool is) const { return sum(make_uint2(is, 0)).x != 0; }

  template <typename T>
  __device__ __forceinline__ T from(T value, std::uint32_t rank) const {
    if (threadIdx.x == rank) value_of<T>(0) = value;
    __syncthreads();
    value = value_of<T>(0);
    __syncthreads();
    return value;
  }
  template <typename T>
  __device__ __forceinline__ T sum_upto(T value) const {
    value = sum_upto_lane(value);
    if (lane() == 31) value_of<T>(warp()) = value;
    __syncthreads();
    for (std::uint32_t w = 0; w < warp(); ++w) value += value_of<T>(w);
    __syncthreads();
    return value;
  }
  template <typename T>
  __device__ __forceinline__ std::uint32_t first_of_greatest(T value) const {
    return of_greatest(value, Warp{}.first_of_greatest(value), false);
  }
  template <typename T>
  __device__ __forceinline__ std::uint32_t last_of_greatest(T value) const {
    return of_greatest(value, Warp{}.last_of_greatest(value), true);
  }
  template <typename T>
  __device__ __forceinline__ void least_below(T& least, std::uint32_t& code) const {
    Warp{}.least_upto(least, code);
    if (lane() == 31) {
      value_of<T>(warp()) = least;
      memory_->codes[warp()] = code;
    }
    const T below = from_below(least, 1);
    const std::uint32_t code_below = from_below(code, 1);
    __syncthreads();
    if (warp() != 0) {
      std::uint32_t of = 0;  // the warp with the least, of equals the last
      for (std::uint32_t w = 1; w < warp(); ++w) {
        if (value_of<T>(w) <= value_of<T>(of)) of = w;
      }
      least = value_of<T>(of);
      code = memory_->codes[of];
      if (lane() != 0 && below <= least) {
        least = below;
        code = code_below;
      }
    } else {
      least = below;
      code = code_below;
    }
    __syncthreads();
  }

 private:
  static __device__ __forceinline__ std::uint32_t warp() { return threadIdx.x / 32; }
  static __device__ __forceinline__ std::uint32_t lane() { return threadIdx.x % 32; }

  template <typename T>
  __device__ __forceinline__ T& value_of(std::uint32_t warp) const {
    return *reinterpret_cast<T*>(memory_->values[warp]);
  }

  /// @param best  lane of the warp's greatest
  template <typename T>
  __device__ __forceinline__ std::uint32_t of_greatest(T value, std::uint32_t best,
                                                       bool last) const {
    if (lane() == best) {
      value_of<T>(warp()) = value;
      memory_->codes[warp()] = threadIdx.x;
    }
    __syncthreads();
    std::uint32_t of = 0;
    for (std::uint32_t w = 1; w < fit_warps; ++w) {
      const T &one = value_of<T>(w), &other = value_of<T>(of);
      if (one > other || (last && one == other)) of = w;
    }
    const std::uint32_t rank = memory_->codes[of];
    __syncthreads();
    return rank;
  }

  BlockMemory* memory_;
};

}  // namespace atl::cuda
