#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/rule_sets/list_kernel.hpp"
#include "cuda/rule_sets/list_tasks.cuh"

namespace atl::cuda {
namespace {

constexpr std::uint32_t most_threads = 1024;
/// Bytes for slots in device memory, unless one block needs more.
constexpr std::size_t most_scratch = std::size_t{1} << 28;

struct Arguments {
  ListTasks tasks;
  ListCounters counters;
};

/// Sums of a warp for consecutive entries, covered rows below and decided ones above; lanes add
/// them to memory together.
class EntryCounts {
 public:
  __device__ __forceinline__ EntryCounts(std::uint32_t* covered, std::uint32_t* decided)
      : covered_(covered), decided_(decided) {}
  __device__ __forceinline__ void push(std::uint32_t sums) {
    if (threadIdx.x % list_warp == used_) mine_ = sums;
    if (++used_ == list_warp) flush();
  }
  __device__ __forceinline__ void flush() {
    const std::uint32_t lane = threadIdx.x % list_warp;
    if (lane < used_) {
      if ((mine_ & 0xFFFF) != 0) atomicAdd(covered_ + lane, mine_ & 0xFFFF);
      if (mine_ >> 16 != 0) atomicAdd(decided_ + lane, mine_ >> 16);
    }
    covered_ += used_;
    decided_ += used_;
    used_ = 0;
  }

 private:
  std::uint32_t* covered_;
  std::uint32_t* decided_;
  std::uint32_t used_ = 0;
  std::uint32_t mine_ = 0;
};
static_assert(list_tile_rows < 1U << 16, "a tile's rows fit below");

template <bool in_shared>
__global__ void __launch_bounds__(most_threads, 1)
    lists_kernel(const __grid_constant__ Arguments arguments) {
  const ListTasks& tasks = arguments.tasks;
  const ListsOnDevice& lists = tasks.lists;
  for_each_list<in_shared>(
      tasks,
      [&](const auto& task) {
        std::uint32_t* const covered =
            arguments.counters.covered + std::size_t{task.label} * lists.counters + lists.entries;
        fill_slots(tasks, task, [&](std::uint32_t number, const uint4& words) {
          const std::uint32_t sum = __reduce_add_sync(all_lanes, count_words(words));
          if (threadIdx.x % list_warp == 0 && sum != 0) atomicAdd(covered + number, sum);
        });
      },
      [&](const auto& task, std::uint32_t list) {
        const std::uint32_t first = lists.first_entry[list];
        const std::uint32_t end = lists.first_entry[list + 1];
        EntryCounts counts(
            arguments.counters.covered + std::size_t{task.label} * lists.counters + first,
            arguments.counters.decided + std::size_t{task.label} * lists.entries + first);
        const uint4* const unit = lists.stream + lists.list_units[list];
        Antecedent antecedent{unit, *unit};
        uint4 undecided = spread_words(~0U);
        for (std::uint32_t entry = first; entry < end; ++entry) {
          const uint4* const next_unit = antecedent.next();
          const Antecedent next{next_unit, *next_unit};  // on its way meanwhile
          const uint4 covered = antecedent.words(task.slots, task.rows);
          std::uint32_t sums = count_words(both_words(covered, undecided)) << 16;
          undecided = without_words(undecided, covered);
          if (antecedent.code() != antecedent_slot) sums += count_words(covered);
          counts.push(__reduce_add_sync(all_lanes, sums));
          antecedent = next;
        }
        counts.flush();
      });
}

}  // namespace

ListSlots list_slots(const DeviceLimits& limits) noexcept {
  const std::uint32_t all = limits.shared_bytes;
  return {(all / 2 - list_block_bytes) / slot_bytes, (all - list_block_bytes) / slot_bytes};
}

ListLaunch plan_lists(const DeviceLimits& limits, std::uint32_t tiles, std::uint32_t groups,
                      std::uint32_t slots) noexcept {
  const std::uint64_t tasks = std::uint64_t{tiles} * groups;
  const ListSlots fit = list_slots(limits);
  const std::uint32_t of_processor = slots <= fit.of_two_blocks ? 2 : 1;
  ListLaunch plan;
  std::uint64_t blocks = std::uint64_t{limits.processors} * of_processor;
  plan.threads = most_threads / of_processor;
  const std::size_t bytes = std::size_t{slots} * slot_bytes;
  if (slots <= fit.of_one_block) {
    plan.shared_bytes = static_cast<std::uint32_t>(std::max(bytes, std::size_t{slot_bytes}));
    blocks = std::min(blocks, tasks);
  } else {
    blocks = std::min({blocks, tasks, std::max<std::uint64_t>(most_scratch / bytes, 1)});
    plan.scratch_bytes = blocks * bytes;
  }
  plan.blocks = static_cast<std::uint32_t>(blocks);
  return plan;
}

void allow_lists(const DeviceLimits& limits) {
  check(cudaFuncSetAttribute(lists_kernel<true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(limits.shared_bytes - list_block_bytes)));
}

void launch_lists(const ListLaunch& plan, const ListRows& rows, const ListsOnDevice& lists,
                  const ListCounters& counters, uint4* scratch, cudaStream_t stream) {
  if (plan.blocks == 0) return;
  const auto kernel = plan.shared_bytes != 0 ? lists_kernel<true> : lists_kernel<false>;
  kernel<<<plan.blocks, plan.threads, plan.shared_bytes, stream>>>(
      {{rows, lists, scratch}, counters});
  check(cudaGetLastError());
}

}  // namespace atl::cuda
