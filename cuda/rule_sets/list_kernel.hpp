// The fused path: operands, antecedents and lists of a batch, whose words stay in shared memory and
// registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/device/device_layout.hpp"
#include "cuda/rule_sets/list_layout.hpp"

namespace atl::cuda {

/// Bytes of a block's shared memory that are not for slots.
inline constexpr std::uint32_t list_block_bytes = 1024;

/// The number of blocks that evaluate lists, and the place of their slots.
struct ListLaunch {
  std::uint32_t blocks = 0;
  std::uint32_t threads = 0;       ///< of a block
  std::uint32_t shared_bytes = 0;  ///< of a block; 0: its slots do not fit
  std::size_t scratch_bytes = 0;   ///< of device memory for all slots, in that case
};
/// A group with more slots than this leaves a processor to one block, with more than the second
/// number slots do not fit in shared memory.
struct ListSlots {
  std::uint32_t of_two_blocks = 0;
  std::uint32_t of_one_block = 0;
};
ListSlots list_slots(const DeviceLimits& limits) noexcept;
ListLaunch plan_lists(const DeviceLimits& limits, std::uint32_t tiles, std::uint32_t groups,
                      std::uint32_t slots) noexcept;

/// Asks for the shared memory that blocks may have: once for a device, before the first launch.
void allow_lists(const DeviceLimits& limits);
void allow_list_stages(const DeviceLimits& limits);
/// Adds what holds on the rows to the counters. Asynchronous.
/// @param scratch  null if the plan needs none
void launch_lists(const ListLaunch& plan, const ListRows& rows, const ListsOnDevice& lists,
                  const ListCounters& counters, uint4* scratch, cudaStream_t stream);

/// Memory in which each stage leaves what the next ones read.
struct ListStageWords {
  uint4* coverage = nullptr;  ///< [tiles][counters][slot_units]
  uint4* decided = nullptr;   ///< [tiles][entries][slot_units]
};
// The stages are asynchronous, as the fused path is; on the same rows one after the other.

/// Finds the rows that each antecedent covers. @param plan, scratch  as of the fused path
void launch_list_coverage(const ListLaunch& plan, const ListRows& rows, const ListsOnDevice& lists,
                          const ListStageWords& words, uint4* scratch, cudaStream_t stream);
/// Counts these rows into `covered`.
void launch_rule_fitness(const ListRows& rows, const ListsOnDevice& lists,
                         const ListStageWords& words, const ListCounters& counters,
                         cudaStream_t stream);
/// Finds the rows that each rule decides.
void launch_classification(const ListRows& rows, const ListsOnDevice& lists,
                           const ListStageWords& words, cudaStream_t stream);
/// Counts these rows into `decided`.
void launch_set_fitness(const ListRows& rows, const ListsOnDevice& lists,
                        const ListStageWords& words, const ListCounters& counters,
                        cudaStream_t stream);

}  // namespace atl::cuda
