#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/fit/fit_kernel.hpp"
#include "cuda/fit/group_fit.cuh"

namespace atl::cuda {

namespace {

/// Codes that each warp of a block counts in shared memory, at most: three blocks a processor.
constexpr std::uint32_t most_shared_codes = 640;
constexpr std::size_t most_scratch = std::size_t{1} << 28;

template <typename Gain, bool in_shared>
__global__ void __launch_bounds__(fit_threads, 3)
    fit_kernel(const FitRows rows, const FitBatch batch, const FitTables tables,
               FitResult* results) {
  __shared__ FitMemory memory;
  extern __shared__ uint2 shared[];
  for (std::uint32_t group = blockIdx.x; group < batch.groups; group += gridDim.x) {
    const std::uint32_t* const words = read_group(batch.words, group, memory.words);
    GroupFit<Gain, in_shared>(rows, words, tables, memory, shared).fit(results[group]);
  }
}

template <typename Code>
__global__ void plane_kernel(const Code* codes, std::uint32_t plane_words, std::uint32_t planes,
                             std::uint32_t* out) {
  const std::uint32_t word = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  if (word >= plane_words) return;
  const std::uint32_t code = codes[std::size_t{word} * 32 + lane];
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const std::uint32_t bits = __ballot_sync(~0U, (code >> plane & 1) != 0);
    if (lane == 0) out[std::size_t{plane} * plane_words + word] = bits;
  }
}

using Kernel = void (*)(FitRows, FitBatch, FitTables, FitResult*);

Kernel kernel_for(bool wide, bool in_shared) {
  if (wide) return in_shared ? fit_kernel<__int128, true> : fit_kernel<__int128, false>;
  return in_shared ? fit_kernel<long long, true> : fit_kernel<long long, false>;
}

}  // namespace

FitLaunch plan_fits(const DeviceLimits& limits, const FitBatch& batch) {
  FitLaunch plan;
  const std::uint32_t codes = batch.most_codes + 1;  // the last one: missing
  plan.blocks = batch.groups;
  plan.shared_codes = std::min(codes, most_shared_codes);
  if (codes <= most_shared_codes) return plan;
  plan.scratch_codes = codes;
  const std::size_t of_block = std::size_t{fit_warps} * codes * sizeof(uint2);
  plan.blocks = static_cast<std::uint32_t>(
      std::min<std::size_t>({batch.groups, std::max<std::size_t>(most_scratch / of_block, 1),
                             std::size_t{limits.processors} * 3}));
  plan.scratch_bytes = plan.blocks * of_block;
  return plan;
}

void allow_fits() {
  for (const bool wide : {false, true}) {
    for (const bool in_shared : {false, true}) {
      const auto* const kernel = reinterpret_cast<const void*>(kernel_for(wide, in_shared));
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 fit_warps * most_shared_codes * sizeof(uint2)));
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                 cudaSharedmemCarveoutMaxShared));
    }
  }
}

void launch_fits(const FitLaunch& plan, const FitRows& rows, const FitBatch& batch, uint2* scratch,
                 FitResult* results, cudaStream_t stream) {
  if (batch.groups == 0) return;
  const FitTables tables = {scratch, plan.scratch_codes, plan.shared_codes};
  const std::size_t shared_bytes = std::size_t{fit_warps} * plan.shared_codes * sizeof(uint2);
  kernel_for(batch.wide,
             plan.scratch_codes == 0)<<<plan.blocks, fit_threads, shared_bytes, stream>>>(
      rows, batch, tables, results);
  check(cudaGetLastError());
}

void launch_planes(const std::byte* codes, bool two_bytes, std::uint32_t plane_words,
                   std::uint32_t planes, std::uint32_t* out, cudaStream_t stream) {
  if (planes == 0 || plane_words == 0) return;
  const std::uint32_t blocks = plane_words / fit_warps;
  if (two_bytes) {
    plane_kernel<<<blocks, fit_threads, 0, stream>>>(reinterpret_cast<const std::uint16_t*>(codes),
                                                     plane_words, planes, out);
  } else {
    plane_kernel<<<blocks, fit_threads, 0, stream>>>(reinterpret_cast<const std::uint8_t*>(codes),
                                                     plane_words, planes, out);
  }
  check(cudaGetLastError());
}

}  // namespace atl::cuda
