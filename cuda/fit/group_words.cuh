// The words of a group as a block reads them, and the codes that a trial of it counts.
#pragma once

#include <cstdint>

#include "cuda/fit/fit_kernel.hpp"
#include "cuda/fit/teams.cuh"
#include "cuda/host/fit_format.hpp"

namespace atl::cuda {

/// Brings the words of a group near. By all threads; all have finished the group before.
__device__ __forceinline__ const std::uint32_t* read_group(const std::uint32_t* batch,
                                                           std::uint32_t group,
                                                           std::uint32_t (&near)[most_read_words]) {
  const std::uint32_t begin = __ldg(batch + group), count = __ldg(batch + group + 1) - begin;
  if (count > most_read_words) return batch + begin;
  for (std::uint32_t i = threadIdx.x; i < count; i += fit_threads) {
    near[i] = __ldg(batch + begin + i);
  }
  __syncthreads();
  return near;
}

/// Calls with the codes of the trial's attribute, of their type.
template <typename Use>
__device__ __forceinline__ void with_codes(const FitRows& rows, const FitTrial& trial,
                                           const Use& use) {
  const std::byte* const codes = rows.codes + std::size_t{trial.column} * fit_step_rows;
  if ((trial.flags & FitTrial::two_bytes) != 0) {
    use(reinterpret_cast<const std::uint16_t*>(codes));
  } else {
    use(reinterpret_cast<const std::uint8_t*>(codes));
  }
}

}  // namespace atl::cuda
