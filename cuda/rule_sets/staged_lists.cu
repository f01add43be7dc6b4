// The stages of scoring, one after the other, with words in device memory between them.
#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/rule_sets/list_kernel.hpp"
#include "cuda/rule_sets/list_tasks.cuh"

namespace atl::cuda {
namespace {

constexpr std::uint32_t most_threads = 1024;
constexpr std::uint32_t count_threads = 256;
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 30;

struct CoverageArguments {
  ListTasks tasks;
  uint4* coverage;
};

template <bool in_shared>
__global__ void __launch_bounds__(most_threads, 1)
    coverage_kernel(const __grid_constant__ CoverageArguments arguments) {
  const ListTasks& tasks = arguments.tasks;
  const ListsOnDevice& lists = tasks.lists;
  const auto place = [&](std::uint32_t tile, std::uint32_t counter) {
    return arguments.coverage + (std::size_t{tile} * lists.counters + counter) * slot_units +
           threadIdx.x % list_warp;
  };
  for_each_list<in_shared>(
      tasks,
      [&](const auto& task) {
        fill_slots(tasks, task, [&](std::uint32_t number, const uint4& words) {
          *place(task.tile, lists.entries + number) = words;
        });
      },
      [&](const auto& task, std::uint32_t list) {
        const uint4* unit = lists.stream + lists.list_units[list];
        for (std::uint32_t e = lists.first_entry[list]; e < lists.first_entry[list + 1]; ++e) {
          const Antecedent antecedent{unit, *unit};
          if (antecedent.code() != antecedent_slot) {
            *place(task.tile, e) = antecedent.words(task.slots, task.rows);
          }
          unit = antecedent.next();
        }
      });
}

/// Words of some things on each tile, and where the ones of each are counted.
struct Counted {
  const uint4* words;  ///< [tiles][things][slot_units]
  std::uint32_t things;
  /// [entries] of the first things, which have words if they are counted by themselves; null: all
  const std::uint32_t* covered_by;
  std::uint32_t entries;
  std::uint32_t* counters;  ///< [classes][things]
};

/// Each warp counts as many things of a tile as it has lanes.
__global__ void __launch_bounds__(count_threads)
    count_kernel(const ListRows rows, const Counted counted) {
  const std::uint32_t lane = threadIdx.x % list_warp;
  const std::uint32_t parts = (counted.things + list_warp - 1) / list_warp;
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * count_threads + threadIdx.x) / list_warp;
  if (warp >= std::uint64_t{rows.count} * parts) return;
  const auto tile = static_cast<std::uint32_t>(warp / parts);
  const auto first = static_cast<std::uint32_t>(warp % parts) * list_warp;
  const std::uint32_t count = min(list_warp, counted.things - first);
  const uint4* words =
      counted.words + (std::size_t{tile} * counted.things + first) * slot_units + lane;
  std::uint32_t mine = 0;
  for (std::uint32_t i = 0; i < count; ++i, words += slot_units) {
    if (counted.covered_by != nullptr && first + i < counted.entries &&
        counted.covered_by[first + i] != first + i) {
      continue;
    }
    const std::uint32_t sum = __reduce_add_sync(all_lanes, count_words(*words));
    if (lane == i) mine = sum;
  }
  if (mine == 0) return;
  const std::size_t label = rows.tiles[tile].label;
  atomicAdd(counted.counters + label * counted.things + first + lane, mine);
}

/// Each warp classifies the rows of a tile by a list.
__global__ void __launch_bounds__(count_threads)
    classification_kernel(const ListRows rows, const ListsOnDevice lists,
                          const ListStageWords words) {
  const std::uint32_t lane = threadIdx.x % list_warp;
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * count_threads + threadIdx.x) / list_warp;
  if (warp >= std::uint64_t{rows.count} * lists.lists) return;
  const std::size_t tile = warp / lists.lists;
  const auto list = static_cast<std::uint32_t>(warp % lists.lists);
  const uint4* const coverage = words.coverage + tile * lists.counters * slot_units + lane;
  uint4* const decided = words.decided + tile * lists.entries * slot_units + lane;
  uint4 undecided = spread_words(~0U);
  for (std::uint32_t e = lists.first_entry[list]; e < lists.first_entry[list + 1]; ++e) {
    const uint4 covered = coverage[std::size_t{lists.covered_by[e]} * slot_units];
    decided[std::size_t{e} * slot_units] = both_words(covered, undecided);
    undecided = without_words(undecided, covered);
  }
}

/// @param warps  of all blocks
std::uint32_t blocks_for(std::uint64_t warps) {
  const std::uint64_t blocks = (warps * list_warp + count_threads - 1) / count_threads;
  return static_cast<std::uint32_t>(std::min(blocks, most_blocks));
}

void launch_count(const ListRows& rows, const Counted& counted, cudaStream_t stream) {
  const std::uint32_t parts = (counted.things + list_warp - 1) / list_warp;
  const std::uint32_t blocks = blocks_for(std::uint64_t{rows.count} * parts);
  if (blocks == 0) return;
  count_kernel<<<blocks, count_threads, 0, stream>>>(rows, counted);
  check(cudaGetLastError());
}

}  // namespace

void allow_list_stages(const DeviceLimits& limits) {
  check(cudaFuncSetAttribute(coverage_kernel<true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(limits.shared_bytes - list_block_bytes)));
}

void launch_list_coverage(const ListLaunch& plan, const ListRows& rows, const ListsOnDevice& lists,
                          const ListStageWords& words, uint4* scratch, cudaStream_t stream) {
  if (plan.blocks == 0) return;
  const auto kernel = plan.shared_bytes != 0 ? coverage_kernel<true> : coverage_kernel<false>;
  kernel<<<plan.blocks, plan.threads, plan.shared_bytes, stream>>>(
      {{rows, lists, scratch}, words.coverage});
  check(cudaGetLastError());
}

void launch_rule_fitness(const ListRows& rows, const ListsOnDevice& lists,
                         const ListStageWords& words, const ListCounters& counters,
                         cudaStream_t stream) {
  launch_count(rows,
               {words.coverage, lists.counters, lists.covered_by, lists.entries, counters.covered},
               stream);
}

void launch_classification(const ListRows& rows, const ListsOnDevice& lists,
                           const ListStageWords& words, cudaStream_t stream) {
  const std::uint32_t blocks = blocks_for(std::uint64_t{rows.count} * lists.lists);
  if (blocks == 0) return;
  classification_kernel<<<blocks, count_threads, 0, stream>>>(rows, lists, words);
  check(cudaGetLastError());
}

void launch_set_fitness(const ListRows& rows, const ListsOnDevice& lists,
                        const ListStageWords& words, const ListCounters& counters,
                        cudaStream_t stream) {
  launch_count(rows, {words.decided, lists.entries, nullptr, 0, counters.decided}, stream);
}

}  // namespace atl::cuda
