#include <algorithm>

#include "cuda/count/group_terms.cuh"
#include "cuda/count/rule_counts.cuh"
#include "cuda/count/staged_kernels.hpp"
#include "cuda/count/tasks.cuh"
#include "cuda/device/handles.hpp"

namespace atl::cuda {
namespace {

struct CoverageArguments {
  Tasks tasks;
  DeviceRows rows;
  ProgramOnDevice program;
  CoverageWords words;
};

template <typename Terms>
__device__ __forceinline__ void cover_group(const CoverageArguments& arguments,
                                            std::uint32_t number, std::uint32_t group,
                                            const Terms& terms) {
  const CoverageWords& to = arguments.words;
  const Tile tile = tile_of(arguments.rows, number);
  const std::uint32_t* const program = arguments.program.words;
  ProgramReader reader(program + program[group]);
  fill_terms(reader.take(), terms);
  std::uint64_t comparison = reader.take();
  evaluate_terms(tile, reader, terms, [&](std::uint32_t step, const ThreadWords& words) {
    if (to.comparisons == nullptr || is_again(step)) return;
    ThreadWords covered;
#pragma unroll
    for (int w = 0; w < thread_words; ++w) covered[w] = words[w];
    clip(covered, tile.rows);
    store(to.comparisons + comparison++ * to.stride + tile.unit, covered);
  });
  std::uint64_t side = std::uint64_t{reader.take()} * 2;
#pragma unroll 1
  for (std::uint32_t rules = reader.take(); rules != 0; --rules) {
    const std::uint32_t sides = reader.take();
    reader.take();  // the present set is reduction's
#pragma unroll
    for (int shift = 0; shift <= 16; shift += 16) {
      ThreadWords words;
      load_side(terms, sides >> shift & 0xFFFF, words);
      clip(words, tile.rows);
      store(to.sides + side++ * to.stride + tile.unit, words);
    }
  }
}

template <bool in_shared>
__global__ void __launch_bounds__(most_warps* warp_size, 1)
    coverage_kernel(const CoverageArguments arguments) {
  for_each_task<in_shared>(arguments.tasks, [&](auto number, auto group, const auto& terms) {
    cover_group(arguments, number, group, terms);
  });
}

constexpr std::uint32_t reduction_warps = 8;

/// A warp's tile, y: which rule or comparison.
__device__ inline std::uint32_t own_tile() {
  return blockIdx.x * reduction_warps + threadIdx.x / warp_size;
}

__global__ void __launch_bounds__(reduction_warps* warp_size)
    rule_reduction_kernel(const DeviceRows rows, const std::uint32_t* program,
                          const std::uint32_t* sets, std::uint32_t rules, CoverageWords words,
                          DeviceCounters counters) {
  const std::uint32_t number = own_tile();
  if (std::uint64_t{number} * tile_rows >= rows.rows) return;
  const Tile tile = tile_of(rows, number);
  for (std::uint32_t rule = blockIdx.y; rule < rules; rule += gridDim.y) {
    const uint4* const sides = words.sides + std::uint64_t{rule} * 2 * words.stride + tile.unit;
    ThreadWords antecedent, consequent;
    load(sides, antecedent);
    load(sides + words.stride, consequent);
    LaneCounts counts(counters.rules + std::uint64_t{rule} * 3);
    count_rule<true>(rows, tile, rows.first_row + std::uint64_t{number} * tile_rows, rule,
                     program + sets[rule], counters, antecedent, consequent, counts);
    counts.flush();
  }
}

__global__ void __launch_bounds__(reduction_warps* warp_size)
    comparison_reduction_kernel(const DeviceRows rows, std::uint32_t comparisons,
                                CoverageWords words, DeviceCounters counters) {
  const std::uint32_t number = own_tile();
  if (std::uint64_t{number} * tile_rows >= rows.rows) return;
  const Tile tile = tile_of(rows, number);
  for (std::uint32_t c = blockIdx.y; c < comparisons; c += gridDim.y) {
    ThreadWords covered;
    load(words.comparisons + c * words.stride + tile.unit, covered);
    add_over_lanes(count(covered), counters.supports + c);
  }
}

}  // namespace

void allow_coverage(const DeviceLimits& limits) {
  allow_shared(coverage_kernel<true>, limits);
}

void launch_coverage(const CountLaunch& plan, const DeviceRows& rows,
                     const ProgramOnDevice& program, const CoverageWords& words, uint4* scratch,
                     cudaStream_t stream) {
  if (plan.blocks == 0) return;
  launch_tasks(
      plan.scratch_bytes != 0 ? coverage_kernel<false> : coverage_kernel<true>, plan,
      CoverageArguments{{rows.rows, program.groups, program.terms, scratch}, rows, program, words},
      stream);
}

void launch_reduction(const DeviceRows& rows, const std::uint32_t* program,
                      const std::uint32_t* sets, std::uint32_t rules, std::uint32_t comparisons,
                      const CoverageWords& words, const DeviceCounters& counters,
                      cudaStream_t stream) {
  if (rules == 0 || rows.rows == 0) return;
  const auto tiles = static_cast<std::uint32_t>((rows.rows + tile_rows - 1) / tile_rows);
  const auto grid = [&](std::uint32_t count) {
    return dim3((tiles + reduction_warps - 1) / reduction_warps, std::min(count, 65535U));
  };
  constexpr std::uint32_t threads = reduction_warps * warp_size;
  rule_reduction_kernel<<<grid(rules), threads, 0, stream>>>(rows, program, sets, rules, words,
                                                             counters);
  check(cudaGetLastError());
  if (counters.supports == nullptr || comparisons == 0) return;
  comparison_reduction_kernel<<<grid(comparisons), threads, 0, stream>>>(rows, comparisons, words,
                                                                         counters);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
