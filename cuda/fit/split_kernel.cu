#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/fit/picked_rows.cuh"
#include "cuda/fit/split_kernel.hpp"
#include "cuda/fit/trial_fit.cuh"

namespace atl::cuda {
namespace {

// A trial whose rows several blocks count. The last of them to come to its end fits it.

/// Shared memory of a block.
struct SplitMemory {
  std::uint32_t words[most_read_words];  ///< of the group, if they fit
  BlockMemory block;
  bool is_last;
};

/// Memory of the device that the blocks of a group have in common.
struct SplitSums {
  std::uint32_t* ticket;  ///< blocks that have come to their end
  uint2* counts;          ///< [codes]
};

/// Counts the rows of a word of each lane. By a warp.
/// @param first_row  of the first lane's word
template <typename Code>
__device__ __forceinline__ void count_words(const Code* codes, std::uint32_t among,
                                            std::uint32_t hits, std::uint32_t first_row,
                                            std::uint32_t* counts) {
  constexpr std::uint32_t few = 8;
  const std::uint32_t lane = threadIdx.x % 32;
  if (__reduce_max_sync(~0U, static_cast<std::uint32_t>(__popc(among))) <= few) {
    for (; among != 0; among &= among - 1) {
      const std::uint32_t bit = __ffs(among) - 1;
      const std::uint32_t code = __ldg(codes + first_row + lane * 32 + bit);
      atomicAdd(counts + (code * 2 + (hits >> bit & 1)), 1U);
    }
    return;
  }
  constexpr int ahead = 8;  // loads under way
  for (int word = 0; word < 32; word += ahead) {
    std::uint32_t code[ahead], at[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      code[k] = no_fit;
      at[k] = __shfl_sync(~0U, hits, word + k) >> lane & 1;
      if ((__shfl_sync(~0U, among, word + k) >> lane & 1) == 0) continue;
      code[k] = __ldg(codes + first_row + (word + k) * 32 + lane);
    }
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      if (code[k] != no_fit) atomicAdd(counts + (code[k] * 2 + at[k]), 1U);
    }
  }
}

/// A block's share in the fit of a group that is split among blocks.
template <typename Gain>
class SplitFit {
 public:
  /// @param words   of the group, which has one trial
  /// @param shared  [codes] if the trial's codes are counted there, or else null
  __device__ SplitFit(const FitRows& rows, const std::uint32_t* words, const SplitSums& sums,
                      SplitMemory& memory, uint2* shared)
      : rows_(rows),
        words_(words),
        part_(*reinterpret_cast<const FitPart*>(words + sizeof(FitGroup) / sizeof(*words))),
        trial_(*reinterpret_cast<const FitTrial*>(&part_ + 1)),
        sums_(sums),
        memory_(memory),
        shared_(shared) {}

  __device__ __forceinline__ void fit(std::uint32_t piece, std::uint32_t pieces,
                                      FitResult& result) {
    count(piece, pieces);
    add_up();
    if (!is_last_of(pieces)) return;
    uint2* const counts = all_counts();
    const Fitted fitted = fit_counts<Gain>(Block(memory_.block), counts, trial_, words_);
    if (threadIdx.x == 0) {
      result = {fitted.chi_squared, 0, fitted.low, fitted.high};
      *sums_.ticket = 0;
    }
    if (shared_ != nullptr) return;
    __syncthreads();  // what others read of the counts
    clear(counts);
  }

 private:
  __device__ __forceinline__ std::uint32_t codes() const { return trial_.distinct + 1; }

  __device__ __forceinline__ void clear(uint2* counts) const {
    for (std::uint32_t code = threadIdx.x; code < codes(); code += fit_threads) {
      counts[code] = make_uint2(0, 0);
    }
  }

  /// Rows of a piece.
  __device__ __forceinline__ void count(std::uint32_t piece, std::uint32_t pieces) const {
    if (shared_ != nullptr) {
      clear(shared_);
      __syncthreads();
    }
    const std::uint32_t steps = rows_.plane_words / fit_threads;
    const auto* const comparisons =
        reinterpret_cast<const FitComparison*>(words_ + part_.comparisons);
    auto* const counts =
        reinterpret_cast<std::uint32_t*>(shared_ != nullptr ? shared_ : sums_.counts);
    const std::uint32_t end = begin_of(piece + 1, steps, pieces);
#pragma unroll 1
    for (std::uint32_t step = begin_of(piece, steps, pieces); step < end; ++step) {
      const std::uint32_t word = step * fit_threads + threadIdx.x;
      const auto [among, hits] =
          marked_words<1>(rows_, comparisons, part_.rest, part_.positives, word);
      const std::uint32_t first_row = (word - threadIdx.x % 32) * 32;
      with_codes(rows_, trial_,
                 [&, among_word = among.of[0], hits_word = hits.of[0]](const auto* of_trial) {
                   count_words(of_trial, among_word, hits_word, first_row, counts);
                 });
    }
  }

  static __device__ __forceinline__ std::uint32_t begin_of(std::uint32_t piece, std::uint32_t steps,
                                                           std::uint32_t pieces) {
    return static_cast<std::uint32_t>(std::uint64_t{piece} * steps / pieces);
  }

  __device__ __forceinline__ void add_up() const {
    if (shared_ == nullptr) return;
    __syncthreads();
    for (std::uint32_t code = threadIdx.x; code < codes(); code += fit_threads) {
      const uint2 n = shared_[code];
      if (n.x != 0) atomicAdd(&sums_.counts[code].x, n.x);
      if (n.y != 0) atomicAdd(&sums_.counts[code].y, n.y);
    }
  }

  /// Is this block the last of the group? If so, it sees what all of them have counted.
  __device__ __forceinline__ bool is_last_of(std::uint32_t pieces) const {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) memory_.is_last = atomicAdd(sums_.ticket, 1U) == pieces - 1;
    __syncthreads();
    if (!memory_.is_last) return false;
    __threadfence();
    return true;
  }

  /// Brings them to shared memory, and leaves zeros, if they fit.
  __device__ __forceinline__ uint2* all_counts() const {
    if (shared_ == nullptr) return sums_.counts;
    for (std::uint32_t code = threadIdx.x; code < codes(); code += fit_threads) {
      shared_[code] = sums_.counts[code];
      sums_.counts[code] = make_uint2(0, 0);
    }
    __syncthreads();
    return shared_;
  }

  const FitRows& rows_;
  const std::uint32_t* const words_;
  const FitPart& part_;
  const FitTrial& trial_;
  const SplitSums& sums_;
  SplitMemory& memory_;
  uint2* const shared_;
};

/// Codes that a block counts in shared memory, at most: four blocks a processor. Rows of more codes
/// rarely meet in one, and are counted in device memory.
constexpr std::uint32_t most_shared_codes = 6144;
constexpr std::uint32_t blocks_per_processor = 4;
/// Pieces end at different times: the more, the less a processor waits for the last.
constexpr std::uint32_t rounds = 2;
constexpr std::size_t most_bytes = std::size_t{1} << 28;

/// @param first  group of the batch
template <typename Gain>
__global__ void __launch_bounds__(fit_threads, blocks_per_processor)
    split_kernel(const FitRows rows, const FitBatch batch, const SplitLaunch plan,
                 const std::uint32_t first, std::uint32_t* tickets, uint2* counts,
                 FitResult* results) {
  __shared__ SplitMemory memory;
  extern __shared__ uint2 shared[];
  const std::uint32_t number = blockIdx.x / plan.pieces, piece = blockIdx.x % plan.pieces;
  const std::uint32_t* const words = read_group(batch.words, first + number, memory.words);
  const auto& trial = *reinterpret_cast<const FitTrial*>(
      words + (sizeof(FitGroup) + sizeof(FitPart)) / sizeof(std::uint32_t));
  const SplitSums sums = {tickets + number, counts + std::size_t{number} * plan.codes};
  SplitFit<Gain>(rows, words, sums, memory, trial.distinct < plan.shared_codes ? shared : nullptr)
      .fit(piece, plan.pieces, results[first + number]);
}

using Kernel = void (*)(FitRows, FitBatch, SplitLaunch, std::uint32_t, std::uint32_t*, uint2*,
                        FitResult*);

Kernel kernel_for(bool wide) {
  return wide ? split_kernel<__int128> : split_kernel<long long>;
}

}  // namespace

SplitLaunch plan_split(const DeviceLimits& limits, const FitRows& rows, const FitBatch& batch) {
  constexpr std::uint32_t line = 16;  // counts of codes in a line of memory
  SplitLaunch plan;
  const std::uint32_t codes = batch.most_codes + 1;  // the last one: missing
  plan.codes = (codes + line - 1) / line * line;
  plan.shared_codes = std::min(codes, most_shared_codes);
  plan.groups = static_cast<std::uint32_t>(
      std::min<std::size_t>(batch.groups, most_bytes / ((plan.codes + 1) * sizeof(uint2))));
  const std::uint32_t steps = rows.plane_words / fit_threads;
  const std::uint32_t blocks = limits.processors * blocks_per_processor * rounds;
  plan.pieces = std::clamp(blocks / std::max(plan.groups, 1U), 1U, std::max(steps, 1U));
  return plan;
}

void allow_splits() {
  for (const bool wide : {false, true}) {
    const auto* const kernel = reinterpret_cast<const void*>(kernel_for(wide));
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               most_shared_codes * sizeof(uint2)));
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared));
  }
}

void launch_split(const SplitLaunch& plan, const FitRows& rows, const FitBatch& batch,
                  std::uint32_t* sums, FitResult* results, cudaStream_t stream) {
  auto* const counts = reinterpret_cast<uint2*>(sums + plan.ticket_words());
  for (std::uint32_t first = 0; first < batch.groups; first += plan.groups) {
    const std::uint32_t groups = std::min(plan.groups, batch.groups - first);
    kernel_for(batch.wide)<<<groups * plan.pieces, fit_threads, plan.shared_codes * sizeof(uint2),
                             stream>>>(rows, batch, plan, first, sums, counts, results);
    check(cudaGetLastError());
  }
}

}  // namespace atl::cuda
