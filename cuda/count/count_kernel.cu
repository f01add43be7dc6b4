#include <algorithm>

#include "cuda/count/count_kernel.hpp"
#include "cuda/count/group_terms.cuh"
#include "cuda/count/rule_counts.cuh"
#include "cuda/count/tasks.cuh"

namespace atl::cuda {
namespace {

/// Bytes for terms in device memory, unless one warp of each processor needs more.
constexpr std::uint64_t most_scratch = std::uint64_t{1} << 28;

/// A program and its groups among those of all programs.
struct Member {
  const std::uint32_t* program;
  std::uint32_t first_group, end_group;
  DeviceCounters counters;
};

struct Arguments {
  Tasks tasks;
  DeviceRows rows;
  Member members[most_together];
};

__device__ __forceinline__ const Member& member_of(const Arguments& arguments,
                                                   std::uint32_t group) {
  const Member* member = arguments.members;
  while (group >= member->end_group) ++member;
  return *member;
}

/// @tparam extras  more is wanted than the tables
template <bool extras, typename Terms>
__device__ __forceinline__ void count_group(const Arguments& arguments, std::uint32_t number,
                                            std::uint32_t group, const Terms& terms) {
  const DeviceRows& rows = arguments.rows;
  const Tile tile = tile_of(rows, number);
  const std::uint64_t first_row = rows.first_row + std::uint64_t{number} * tile_rows;
  const Member& member = member_of(arguments, group);
  const DeviceCounters& counters = member.counters;
  const std::uint32_t* const program = member.program;
  ProgramReader reader(program + program[group - member.first_group]);
  fill_terms(reader.take(), terms);
  LaneCounts supports(counters.supports + reader.take());
  evaluate_terms(tile, reader, terms, [&](std::uint32_t step, const ThreadWords& words) {
    if constexpr (extras) {
      if (counters.supports == nullptr || is_again(step)) return;
      ThreadWords counted;
#pragma unroll
      for (int w = 0; w < thread_words; ++w) counted[w] = words[w];
      clip(counted, tile.rows);
      supports.push(__reduce_add_sync(~0U, count(counted)));
    }
  });
  if constexpr (extras) supports.flush();

  std::uint32_t rule = reader.take();
  LaneCounts counts(counters.rules + std::uint64_t{rule} * 3);
#pragma unroll 1
  for (std::uint32_t rules = reader.take(); rules != 0; --rules, ++rule) {
    const std::uint32_t sides = reader.take();
    ThreadWords antecedent, consequent;
    load_side(terms, sides & 0xFFFF, antecedent);
    load_side(terms, sides >> 16, consequent);
    count_rule<extras>(rows, tile, first_row, rule, program + reader.take(), counters, antecedent,
                       consequent, counts);
  }
  counts.flush();
}

/// @tparam in_shared  shared memory has room for all terms of a warp
template <bool extras, bool in_shared>
__global__ void __launch_bounds__(most_warps* warp_size, 1)
    count_kernel(const __grid_constant__ Arguments arguments) {
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
  }
  return plan;
}

void allow_counts(const DeviceLimits& limits) {
  for (const auto kernel : {count_kernel<true, true>, count_kernel<false, true>}) {
    allow_shared(kernel, limits);
  }
}

void launch_count(const CountLaunch& plan, const DeviceRows& rows, const CountedProgram* programs,
                  std::size_t count, uint4* scratch, cudaStream_t stream) {
  if (plan.blocks == 0) return;
  Arguments arguments{{rows.rows, 0, 0, scratch}, rows, {}};
  bool extras = false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [program, counters] = programs[i];
    const std::uint32_t first_group = arguments.tasks.groups;
    arguments.tasks.groups += program.groups;
    arguments.tasks.terms = std::max(arguments.tasks.terms, program.terms);
    arguments.members[i] = {program.words, first_group, arguments.tasks.groups, counters};
    extras = extras || counters.supports != nullptr || counters.hashes != nullptr ||
             counters.sums != nullptr;
  }
  const auto kernel = plan.scratch_bytes != 0 ? count_kernel<true, false>
                      : extras                ? count_kernel<true, true>
                                              : count_kernel<false, true>;
  launch_tasks(kernel, plan, arguments, stream);
}

}  // namespace atl::cuda
