#include <algorithm>

#include "cuda/count_kernel.hpp"
#include "cuda/digit_jumps.cuh"
#include "cuda/handles.hpp"
#include "cuda/program_format.hpp"

namespace atl::cuda {

namespace {

constexpr std::uint32_t warp_size = 32;
constexpr std::uint32_t most_warps = 16;               // more would have too few registers
constexpr std::uint32_t term_units = tile_rows / 128;  // of 16 bytes

struct Arguments {
  DeviceRows rows;
  const std::uint32_t* program;
  std::uint32_t groups;
  std::uint32_t terms;
  DeviceCounters counters;
};

/// A warp's part of a tile: thread t has words 4t to 4t + 3 of the first half and of the second.
struct Tile {
  std::uint64_t unit;  ///< of the thread's first words in a plane
  std::uint32_t rows;  ///< that exist
};

__device__ __forceinline__ void load(const uint4* from, ThreadWords& words) {
  const uint4 low = from[0];
  const uint4 high = from[warp_size];
  words[0] = low.x, words[1] = low.y, words[2] = low.z, words[3] = low.w;
  words[4] = high.x, words[5] = high.y, words[6] = high.z, words[7] = high.w;
}

__device__ __forceinline__ void store(uint4* to, const ThreadWords& words) {
  to[0] = make_uint4(words[0], words[1], words[2], words[3]);
  to[warp_size] = make_uint4(words[4], words[5], words[6], words[7]);
}

/// Clears the bits beyond the rows that exist.
__device__ __forceinline__ void clip(ThreadWords& words, std::uint32_t rows) {
  if (rows >= tile_rows) return;
#pragma unroll
  for (std::uint32_t w = 0; w < thread_words; ++w) {
    const std::uint32_t word = threadIdx.x % warp_size * 4 + w % 4 + w / 4 * 4 * warp_size;
    const int left = static_cast<int>(rows) - static_cast<int>(word * 32);
    words[w] &= left >= 32 ? ~0U : left <= 0 ? 0U : (1U << left) - 1;
  }
}

__device__ __forceinline__ std::uint32_t count(const ThreadWords& words) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int w = 0; w < thread_words; ++w) sum += __popc(words[w]);
  return sum;
}

/// row_hash() of src/rules/rule_counts.hpp, the finaliser of SplitMix64.
__device__ std::uint64_t row_hash(std::uint64_t row) {
  std::uint64_t z = row + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

__device__ void add_hashes(const ThreadWords& words, std::uint64_t first_row,
                           unsigned long long* to) {
  unsigned long long sum = 0;
  for (std::uint32_t w = 0; w < thread_words; ++w) {
    const std::uint32_t word = threadIdx.x % warp_size * 4 + w % 4 + w / 4 * 4 * warp_size;
    for (std::uint32_t rows = words[w]; rows != 0; rows &= rows - 1) {
      sum += row_hash(first_row + word * 32 + static_cast<std::uint32_t>(__ffs(rows)) - 1);
    }
  }
  for (int offset = 16; offset != 0; offset /= 2) sum += __shfl_xor_sync(~0U, sum, offset);
  if (threadIdx.x % warp_size == 0 && sum != 0) atomicAdd(to, sum);
}

/// Counts of a warp's lanes, added to memory as many as there are lanes at a time.
class LaneCounts {
 public:
  __device__ explicit LaneCounts(std::uint32_t* to) : to_(to) {}
  __device__ void push(std::uint32_t sum) {
    if (threadIdx.x % warp_size == used_) mine_ = sum;
    if (++used_ == warp_size) flush();
  }
  __device__ void flush() {
    if (threadIdx.x % warp_size < used_ && mine_ != 0)
      atomicAdd(to_ + threadIdx.x % warp_size, mine_);
    to_ += used_;
    used_ = 0;
  }

 private:
  std::uint32_t* to_;
  std::uint32_t used_ = 0;
  std::uint32_t mine_ = 0;
};

constexpr std::uint32_t code_mask = (1U << digit_bits) - 1;

__device__ __forceinline__ void load_digit(const uint4* planes, std::uint64_t stride,
                                           std::uint32_t first, std::uint32_t plane_count,
                                           ThreadWords* digit) {
#pragma unroll
  for (std::uint32_t i = 0; i < digit_planes; ++i) {
    if (first + i < plane_count) {
      load(planes + (first + i) * stride, digit[i]);
    } else {
#pragma unroll
      for (std::uint32_t w = 0; w < thread_words; ++w) digit[i][w] = 0;
    }
  }
}

/// An attribute's planes, of which those of the held digits stay in registers.
class HeldPlanes {
 public:
  __device__ HeldPlanes(const uint4* planes, std::uint64_t stride, std::uint32_t plane_count) {
#pragma unroll
    for (std::uint32_t d = 0; d < held_digits; ++d) {
      load_digit(planes, stride, d * digit_planes, plane_count, held_ + d * digit_planes);
    }
  }
  __device__ __forceinline__ const std::uint32_t* compare(std::uint32_t step,
                                                          const std::uint32_t* stream,
                                                          ThreadWords& words) const {
    lowest_digit(step & code_mask, held_, words);
    next_digit(step >> digit_bits & code_mask, held_ + digit_planes, words);
    return stream;
  }

 private:
  ThreadWords held_[held_digits * digit_planes];
};

/// Planes of an attribute that has more, read anew for each comparison.
class ManyPlanes {
 public:
  __device__ ManyPlanes(const uint4* planes, std::uint64_t stride, std::uint32_t plane_count)
      : planes_(planes), stride_(stride), plane_count_(plane_count) {}
  __device__ __forceinline__ const std::uint32_t* compare(std::uint32_t step,
                                                          const std::uint32_t* stream,
                                                          ThreadWords& words) const {
    ThreadWords digit[digit_planes];
    load_digit(planes_, stride_, 0, plane_count_, digit);
    lowest_digit(step & code_mask, digit, words);
    std::uint64_t codes = step >> digit_bits & code_mask | std::uint64_t{*stream} << digit_bits;
    for (std::uint32_t p = digit_planes; p < plane_count_; p += digit_planes) {
      load_digit(planes_, stride_, p, plane_count_, digit);
      next_digit(static_cast<std::uint32_t>(codes) & code_mask, digit, words);
      codes >>= digit_bits;
    }
    return stream + 1;
  }

 private:
  const uint4* planes_;
  std::uint64_t stride_;
  std::uint32_t plane_count_;
};

/// What a comparison's step says beside its digits. False if there is no term for it.
__device__ __forceinline__ bool modify(std::uint32_t step, const uint4* present, ThreadWords& kept,
                                       ThreadWords& words) {
  if ((step & step_hold) != 0) {
#pragma unroll
    for (std::uint32_t w = 0; w < thread_words; ++w) kept[w] = words[w];
    return false;
  }
  if ((step & step_without) != 0) {
#pragma unroll
    for (std::uint32_t w = 0; w < thread_words; ++w) words[w] = kept[w] & ~words[w];
  }
  if ((step & step_outside) != 0) {
#pragma unroll
    for (std::uint32_t w = 0; w < thread_words; ++w) words[w] = ~words[w];
  }
  if ((step & step_present) != 0) {
    ThreadWords rows;
    load(present, rows);
#pragma unroll
    for (std::uint32_t w = 0; w < thread_words; ++w) words[w] &= rows[w];
  }
  return true;
}

/// Subtracts the comparisons on an attribute from the terms.
/// @param extras  their supports are wanted
/// @return what follows them in the stream
template <bool extras, typename Planes>
__device__ __forceinline__ const std::uint32_t* run_steps(
    const Arguments& arguments, const Planes& planes, const uint4* present, std::uint32_t steps,
    const std::uint32_t* stream, const Tile& tile, uint4* terms, LaneCounts& supports) {
  ThreadWords kept;
  for (; steps != 0; --steps) {
    std::uint32_t step = *stream++;
    ThreadWords words;
    stream = planes.compare(step, stream, words);
    if ((step & (step_hold | step_without | step_outside | step_present)) != 0) {
      if (!modify(step, present, kept, words)) continue;
    }
    if constexpr (extras) {
      if (arguments.counters.supports != nullptr) {
        clip(words, tile.rows);
        supports.push(__reduce_add_sync(~0U, count(words)));
      }
    }
    while (true) {
      uint4* const term = terms + (step >> step_term_shift & term_mask) * term_units;
      const std::uint32_t complement = (step & step_complement) != 0 ? ~0U : 0U;
      ThreadWords left;
#pragma unroll
      for (std::uint32_t w = 0; w < thread_words; ++w) left[w] = ~0U;
      if ((step & step_first) == 0) load(term, left);
#pragma unroll
      for (std::uint32_t w = 0; w < thread_words; ++w) left[w] &= words[w] ^ complement;
      store(term, left);
      if ((step & step_more) == 0) break;
      step = *stream++;
    }
  }
  return stream;
}

/// Subtracts the comparisons of a group from its terms.
/// @return what follows the runs in the stream
template <bool extras>
__device__ const std::uint32_t* run_comparisons(const Arguments& arguments,
                                                const std::uint32_t* stream, const Tile& tile,
                                                uint4* terms, LaneCounts& supports) {
  const std::uint64_t stride = arguments.rows.stride;
  for (std::uint32_t runs = *stream++; runs != 0; --runs) {
    const uint4* const planes = arguments.rows.planes + tile.unit + stream[0] * stride;
    const std::uint32_t plane_count = stream[1] & 0xFF;
    const uint4* const present = planes + plane_count * stride;
    const std::uint32_t steps = stream[2];
    stream += 3;
    stream = plane_count > held_digits * digit_planes
                 ? run_steps<extras>(arguments, ManyPlanes(planes, stride, plane_count), present,
                                     steps, stream, tile, terms, supports)
                 : run_steps<extras>(arguments, HeldPlanes(planes, stride, plane_count), present,
                                     steps, stream, tile, terms, supports);
  }
  return stream;
}

__device__ __forceinline__ void load_side(const uint4* terms, std::uint32_t side,
                                          const ThreadWords& base, ThreadWords& words) {
  load(terms + (side & term_mask) * term_units, words);
  const std::uint32_t complement = (side & 1U << 15) != 0 ? ~0U : 0U;
#pragma unroll
  for (std::uint32_t w = 0; w < thread_words; ++w) words[w] = (words[w] ^ complement) & base[w];
}

template <bool extras>
__device__ void count_rules(const Arguments& arguments, const std::uint32_t* stream,
                            const Tile& tile, uint4* terms, std::uint64_t first_row) {
  for (std::uint32_t folds = *stream++; folds != 0; --folds) {
    const std::uint32_t fold = *stream++;
    uint4* const target = terms + (fold & term_mask) * term_units;
    const std::uint32_t complement = (fold & 1U << 30) != 0 ? ~0U : 0U;
    ThreadWords left, source;
    load(target, left);
    load(terms + (fold >> 15 & term_mask) * term_units, source);
#pragma unroll
    for (std::uint32_t w = 0; w < thread_words; ++w) left[w] &= source[w] ^ complement;
    store(target, left);
  }
  const std::uint32_t first_rule = stream[0];
  const std::uint32_t rules = stream[1];
  stream += 2;
  LaneCounts counts(arguments.counters.rules + first_rule * 3);
  for (std::uint32_t r = 0; r < rules; ++r, stream += 2) {
    ThreadWords base;
#pragma unroll
    for (std::uint32_t w = 0; w < thread_words; ++w) base[w] = ~0U;
    clip(base, tile.rows);
    const std::uint32_t* const set = arguments.program + stream[1];
    for (std::uint32_t i = 0; i < set[0]; ++i) {
      ThreadWords present;
      load(arguments.rows.planes + tile.unit + set[1 + i] * arguments.rows.stride, present);
#pragma unroll
      for (std::uint32_t w = 0; w < thread_words; ++w) base[w] &= present[w];
    }
    ThreadWords antecedent, consequent;
    load_side(terms, stream[0] & 0xFFFF, base, antecedent);
    load_side(terms, stream[0] >> 16, base, consequent);
    // At most 8192 rows each.
    const std::uint32_t sides = __reduce_add_sync(~0U, count(antecedent) | count(consequent) << 16);
    counts.push(sides & 0xFFFF);
    counts.push(sides >> 16);
    ThreadWords both;
#pragma unroll
    for (std::uint32_t w = 0; w < thread_words; ++w) both[w] = antecedent[w] & consequent[w];
    counts.push(__reduce_add_sync(~0U, count(both)));
    if constexpr (extras) {
      if (arguments.counters.hashes != nullptr) {
        ThreadWords rows;
#pragma unroll
        for (std::uint32_t w = 0; w < thread_words; ++w) rows[w] = ~0U;
        clip(rows, tile.rows);
        unsigned long long* const to = arguments.counters.hashes + (first_rule + r) * 2;
        load_side(terms, stream[0] & 0xFFFF, rows, antecedent);
        add_hashes(antecedent, first_row, to);
        load_side(terms, stream[0] >> 16, rows, consequent);
        add_hashes(consequent, first_row, to + 1);
      }
    }
  }
  counts.flush();
}

template <bool extras>
__global__ void __launch_bounds__(most_warps* warp_size, 1)
    count_kernel(const Arguments arguments) {
  extern __shared__ uint4 shared[];
  const std::uint32_t lane = threadIdx.x % warp_size;
  const std::uint32_t warps = blockDim.x / warp_size;
  const std::uint32_t warp = threadIdx.x / warp_size;
  uint4* const terms = shared + warp * arguments.terms * term_units + lane;
  const std::uint32_t tiles = (arguments.rows.rows + tile_rows - 1) / tile_rows;
  const std::uint64_t tasks = std::uint64_t{tiles} * arguments.groups;
  for (std::uint64_t task = blockIdx.x * warps + warp; task < tasks; task += gridDim.x * warps) {
    const auto number = static_cast<std::uint32_t>(task / arguments.groups);
    const auto group = static_cast<std::uint32_t>(task % arguments.groups);
    const Tile tile{std::uint64_t{number} * term_units + lane,
                    arguments.rows.rows - number * tile_rows};
    const std::uint32_t* stream = arguments.program + arguments.program[group];
    for (std::uint32_t blanks = *stream++; blanks != 0; --blanks) {
      ThreadWords ones;
#pragma unroll
      for (std::uint32_t w = 0; w < thread_words; ++w) ones[w] = ~0U;
      store(terms + *stream++ * term_units, ones);
    }
    LaneCounts supports(arguments.counters.supports + *stream);
    stream = run_comparisons<extras>(arguments, stream + 1, tile, terms, supports);
    if constexpr (extras) supports.flush();
    count_rules<extras>(arguments, stream, tile, terms,
                        arguments.rows.first_row + std::uint64_t{number} * tile_rows);
  }
}

}  // namespace

void launch_count(const DeviceRows& rows, const std::uint32_t* program, std::uint32_t groups,
                  std::uint32_t terms, const DeviceCounters& counters, cudaStream_t stream) {
  if (groups == 0 || rows.rows == 0) return;
  int device = 0, processors = 0, shared = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const std::uint32_t tiles = (rows.rows + tile_rows - 1) / tile_rows;
  const std::uint64_t tasks = std::uint64_t{tiles} * groups;
  const std::uint32_t fit = static_cast<std::uint32_t>(shared) / (terms * term_bytes);
  const std::uint32_t warps =
      std::clamp<std::uint32_t>(static_cast<std::uint32_t>((tasks + processors - 1) / processors),
                                1, std::min(most_warps, std::max(fit, 1U)));
  const std::uint32_t bytes = warps * terms * term_bytes;
  const bool extras = counters.supports != nullptr || counters.hashes != nullptr;
  const auto kernel = extras ? count_kernel<true> : count_kernel<false>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)));
  const auto blocks =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(processors, (tasks + warps - 1) / warps));
  kernel<<<blocks, warps * warp_size, bytes, stream>>>(
      Arguments{rows, program, groups, terms, counters});
  check(cudaGetLastError());
}

}  // namespace atl::cuda
