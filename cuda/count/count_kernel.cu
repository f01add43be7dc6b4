#include <algorithm>

#include "cuda/count/count_kernel.hpp"
#include "cuda/count/group_terms.cuh"
#include "cuda/count/rule_counts.cuh"
#include "cuda/count/tasks.cuh"

namespace atl::cuda {

namespace {

/// Bytes for terms in device memory, unless one warp of each processor needs more.
constexpr std::uint64_t most_scratch = std::uint64_t{1} << 28;

struct Arguments {
  Tasks tasks;
  DeviceRows rows;
  ProgramOnDevice program;
  DeviceCounters counters;
};

/// @tparam extras  more is wanted than the tables
template <bool extras, typename Terms>
__device__ __forceinline__ void count_group(const Arguments& arguments, std::uint32_t number,
                                            std::uint32_t group, const Terms& terms) {
  const DeviceRows& rows = arguments.rows;
  const Tile tile = tile_of(rows, number);
  const std::uint64_t first_row = rows.first_row + std::uint64_t{number} * tile_rows;
  const std::uint32_t* const program = arguments.program.words;
  ProgramReader reader(program + program[group]);
  fill_terms(reader.take(), terms);
  LaneCounts supports(arguments.counters.supports + reader.take());
  evaluate_terms(tile, reader, terms, [&](std::uint32_t step, const ThreadWords& words) {
    if constexpr (extras) {
      if (arguments.counters.supports == nullptr || is_again(step)) return;
      ThreadWords counted;
#pragma unroll
      for (int w = 0; w < thread_words; ++w) counted[w] = words[w];
      clip(counted, tile.rows);
      supports.push(__reduce_add_sync(~0U, count(counted)));
    }
  });
  if constexpr (extras) supports.flush();

  std::uint32_t rule = reader.take();
  LaneCounts counts(arguments.counters.rules + std::uint64_t{rule} * 3);
#pragma unroll 1
  for (std::uint32_t rules = reader.take(); rules != 0; --rules, ++rule) {
    const std::uint32_t sides = reader.take();
    ThreadWords antecedent, consequent;
    load_side(terms, sides & 0xFFFF, antecedent);
    load_side(terms, sides >> 16, consequent);
    count_rule<extras>(rows, tile, first_row, rule, program + reader.take(), arguments.counters,
                       antecedent, consequent, counts);
  }
  counts.flush();
}

/// @tparam in_shared  shared memory has room for all terms of a warp
template <bool extras, bool in_shared>
__global__ void __launch_bounds__(most_warps* warp_size, 1)
    count_kernel(const Arguments arguments) {
  for_each_task<in_shared>(arguments.tasks, [&](auto number, auto group, const auto& terms) {
    count_group<extras>(arguments, number, group, terms);
  });
}

}  // namespace

CountLaunch plan_count(const DeviceLimits& limits, std::uint64_t rows, std::uint32_t groups,
                       std::uint32_t terms) {
  const std::uint64_t tasks = (rows + tile_rows - 1) / tile_rows * groups;
  if (tasks == 0) return {};
  const std::uint64_t term_bytes = std::max<std::uint64_t>(terms, 1) * tile_bytes;
  const std::uint64_t fit = limits.shared_bytes / term_bytes;
  const std::uint64_t room =
      fit != 0
          ? std::min<std::uint64_t>(fit, most_warps)
          : std::clamp<std::uint64_t>(most_scratch / term_bytes / limits.processors, 1, most_warps);
  // First a warp on each processor, then more.
  const std::uint64_t warps =
      std::min<std::uint64_t>((tasks + limits.processors - 1) / limits.processors, room);
  const std::uint64_t blocks =
      std::min<std::uint64_t>((tasks + warps - 1) / warps, limits.processors);
  CountLaunch plan;
  plan.warps = static_cast<std::uint32_t>(warps);
  plan.blocks = static_cast<std::uint32_t>(blocks);
  if (fit == 0) {
    plan.scratch_bytes = blocks * warps * term_bytes;
  } else {
    plan.shared_bytes = static_cast<std::uint32_t>(warps * term_bytes);
    plan.most_shared_bytes = limits.shared_bytes;
  }
  return plan;
}

void launch_count(const CountLaunch& plan, const DeviceRows& rows, const ProgramOnDevice& program,
                  const DeviceCounters& counters, uint4* scratch, cudaStream_t stream) {
  if (plan.blocks == 0) return;
  const bool extras =
      counters.supports != nullptr || counters.hashes != nullptr || counters.sums != nullptr;
  const auto kernel = plan.scratch_bytes != 0 ? count_kernel<true, false>
                      : extras                ? count_kernel<true, true>
                                              : count_kernel<false, true>;
  launch_tasks(
      kernel, plan,
      Arguments{{rows.rows, program.groups, program.terms, scratch}, rows, program, counters},
      stream);
}

}  // namespace atl::cuda
