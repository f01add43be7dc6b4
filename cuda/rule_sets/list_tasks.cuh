// Shares the tiles of rows and the groups of lists among blocks.
#pragma once

#include <cstdint>

#include "cuda/rule_sets/list_kernel.hpp"
#include "cuda/rule_sets/list_words.cuh"

namespace atl::cuda {

struct ListTasks {
  ListRows rows;
  ListsOnDevice lists;
  uint4* scratch;  ///< of all blocks' slots; null if they are in shared memory
};

/// A tile and a group, whose operands and shared antecedents are in the slots.
template <typename Slots>
struct ListTask {
  std::uint32_t tile;
  std::uint32_t label;
  uint4 rows;  ///< that count, of the thread's words
  const ListGroupWords& group;
  const Slots& slots;
};

/// The block's warps share the group's operands. Then they share its shared antecedents, each with
/// found(number, words).
template <typename Slots, typename Found>
__device__ __forceinline__ void fill_slots(const ListTasks& tasks, const ListTask<Slots>& task,
                                           const Found& found) {
  const std::uint32_t warp = threadIdx.x / list_warp;
  const std::uint32_t warps = blockDim.x / list_warp;
  const ListGroupWords& group = task.group;
  const uint4* const tile = tasks.rows.planes +
                            std::size_t{task.tile} * tasks.rows.tile_planes * slot_units +
                            threadIdx.x % list_warp;
  for (std::uint32_t o = warp; o < group.operands; o += warps) {
    const uint4 operand = tasks.lists.operands[group.first_operand + o];
    task.slots.store(o * slot_bytes, operand_words(operand, tile));
  }
  __syncthreads();
  if (group.shared == 0) return;
  const uint4* unit = tasks.lists.stream + group.unit;
  for (std::uint32_t s = 0; s < group.shared; ++s) {
    const Antecedent antecedent{unit, *unit};
    unit = antecedent.next();
    if (s % warps != warp) continue;
    const uint4 words = antecedent.words(task.slots, task.rows);
    task.slots.store((group.operands + s) * slot_bytes, words);
    found(group.first_shared + s, words);
  }
  __syncthreads();
}

/// Calls fill(task) by all threads of the block, and then list(task, number) by a warp for each
/// list of the group, whichever is free. Blocks have consecutive tasks, those of a group one after
/// the other, so that its lists stay in the cache.
template <bool in_shared, typename Fill, typename List>
__device__ __forceinline__ void for_each_list(const ListTasks& tasks, const Fill& fill,
                                              const List& list) {
  extern __shared__ uint4 shared[];
  __shared__ std::uint32_t next;
  const Slots<in_shared> slots(in_shared ? shared
                                         : tasks.scratch + std::size_t{blockIdx.x} *
                                                               tasks.lists.slots * slot_units);
  const std::uint64_t count = std::uint64_t{tasks.rows.count} * tasks.lists.group_count;
  const std::uint64_t end = count * (blockIdx.x + 1) / gridDim.x;
  for (std::uint64_t t = count * blockIdx.x / gridDim.x; t < end; ++t) {
    const auto tile = static_cast<std::uint32_t>(t % tasks.rows.count);
    const ListTile about = tasks.rows.tiles[tile];
    const ListTask<Slots<in_shared>> task{tile, about.label, first_rows(about.rows),
                                          tasks.lists.groups[t / tasks.rows.count], slots};
    if (threadIdx.x == 0) next = blockDim.x / list_warp;
    fill(task);
    const std::uint32_t lists = task.group.lists;
    for (std::uint32_t number = threadIdx.x / list_warp; number < lists;) {
      list(task, task.group.first_list + number);
      if (threadIdx.x % list_warp == 0) number = atomicAdd(&next, 1);
      number = __shfl_sync(all_lanes, number, 0);
    }
    __syncthreads();
  }
}

}  // namespace atl::cuda
