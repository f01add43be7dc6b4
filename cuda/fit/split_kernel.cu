#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/fit/split_fit.cuh"
#include "cuda/fit/split_kernel.hpp"

namespace atl::cuda {

namespace {

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
