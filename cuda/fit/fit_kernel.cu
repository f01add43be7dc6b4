#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/fit/fit_kernel.hpp"
#include "cuda/fit/picked_rows.cuh"
#include "cuda/fit/trial_fit.cuh"

namespace atl::cuda {
namespace {

/// Tables in which warps count the codes of attributes.
struct FitTables {
  uint2* scratch;               ///< [block][warp][scratch_codes] for attributes of more codes
  std::uint32_t scratch_codes;  ///< 0 if there are none
  std::uint32_t shared_codes;   ///< of a warp, that of missing values included
};

/// A trial, and what it came to.
struct TriedTrial {
  double chi_squared;    ///< of the last fit; 0 if nothing gained
  Fitted fitted;         ///< the last that gained
  std::uint32_t number;  ///< in the group; no_fit if this is none
  std::uint32_t place;   ///< among those that can be fitted; no_fit if it cannot
  std::uint32_t part;
};

__device__ __forceinline__ bool is_better(const TriedTrial& a, const TriedTrial& b) {
  return a.chi_squared != b.chi_squared ? a.chi_squared > b.chi_squared : a.number < b.number;
}

/// Shared memory of a block.
struct FitMemory {
  PickMemory picked;
  TriedTrial best[fit_warps + 1][2];     ///< of each warp, the better first; then what is no trial
  TriedTrial again[2];                   ///< the best two of all
  std::uint32_t words[most_read_words];  ///< of the group, if they fit
};

/// Counts rows by their code. @param first, step  places in the list
template <typename Code>
__device__ __forceinline__ void count_codes(const Code* codes, const std::uint32_t* list,
                                            std::uint32_t first, std::uint32_t step,
                                            std::uint32_t count, std::uint32_t* counts) {
  constexpr int ahead = 8;  // loads under way
  std::uint32_t i = first;
  for (; i + (ahead - 1) * step < count; i += ahead * step) {
    std::uint32_t row[ahead], code[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) row[k] = list[i + k * step];
#pragma unroll
    for (int k = 0; k < ahead; ++k) code[k] = __ldg(codes + row[k] / 2);
#pragma unroll
    for (int k = 0; k < ahead; ++k) atomicAdd(counts + (code[k] * 2 + row[k] % 2), 1U);
  }
  for (; i < count; i += step) {
    const std::uint32_t row = list[i];
    atomicAdd(counts + (__ldg(codes + row / 2) * std::uint32_t{2} + row % 2), 1U);
  }
}

/// @tparam in_shared  all attributes of the batch's trials are counted in shared memory
template <typename Gain, bool in_shared>
class GroupFit {
 public:
  /// @param words   of the group
  /// @param shared  [warp][shared_codes]
  __device__ GroupFit(const FitRows& rows, const std::uint32_t* words, const FitTables& tables,
                      FitMemory& memory, uint2* shared)
      : rows_(rows),
        words_(words),
        tables_(tables),
        memory_(memory),
        shared_(shared),
        group_(*reinterpret_cast<const FitGroup*>(words)),
        parts_(reinterpret_cast<const FitPart*>(&group_ + 1)),
        trials_(reinterpret_cast<const FitTrial*>(parts_ + group_.parts)) {}

  /// Fits the group. All threads call it.
  __device__ __forceinline__ void fit(FitResult& result) {
    const bool compares = group_.compares != 0;
    const std::uint32_t rows_first = compares ? group_.rows_to_compare : group_.rows;
    const std::uint32_t most = compares ? max(group_.rows, rows_first) : rows_first;
    list_limit_ = most <= listed_rows ? most : 0;
    clear_best();
    std::uint32_t first = 0;
#pragma unroll 1
    for (std::uint32_t step = 0; step < group_.parts + 2; ++step) {
      Task task = {step, rows_first, 0, first, 1, false};
      if (step < group_.parts) {
        task.count = parts_[step].trials;
        first += task.count;
      } else {
        if (step == group_.parts) choose_best();
        if (!compares) break;
        task = task_again(step - group_.parts);
      }
      if (task.count != 0) fit_trials(task);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      const TriedTrial &one = memory_.again[0], &other = memory_.again[1];
      const bool second = compares && other.number != no_fit && is_better(other, one);
      const TriedTrial& best = second ? other : one;
      result = {best.fitted.chi_squared, best.number == no_fit ? 0 : best.number, best.fitted.low,
                best.fitted.high};
    }
  }

 private:
  /// Trials of one part.
  struct Task {
    std::uint32_t part;
    std::uint32_t rows;         ///< at most
    std::uint32_t count;        ///< of trials
    std::uint32_t first, step;  ///< places of the trials
    bool is_again;              ///< they are of the best two
  };

  __device__ __forceinline__ void clear_best() {
    const std::uint32_t of = threadIdx.x / 2, which = threadIdx.x % 2;
    if (of > fit_warps) return;
    const std::uint32_t number = of == fit_warps ? group_.empty[which] : no_fit;
    memory_.best[of][which] = {0, nothing_fitted, number, no_fit, no_fit};
  }

  /// Chooses the best of all warps, between two barriers.
  __device__ __forceinline__ void choose_best() {
    __syncthreads();
    if (threadIdx.x < 32) {
      const std::uint32_t lane = threadIdx.x;
      const TriedTrial none = {0, nothing_fitted, no_fit, no_fit, no_fit};
      TriedTrial own = lane < (fit_warps + 1) * 2 ? memory_.best[lane / 2][lane % 2] : none;
      for (TriedTrial& best : memory_.again) {
        // The order of numbers that are not negative is that of their bits.
        const long long key = own.number == no_fit ? -1 : __double_as_longlong(own.chi_squared);
        const bool is_best = key == from_lane(key, lane_of_greatest(key));
        const std::uint32_t first = __reduce_min_sync(~0U, is_best ? own.number : no_fit);
        const bool is_first = is_best && own.number == first;
        if (__ffs(__ballot_sync(~0U, is_first)) == static_cast<int>(lane) + 1) {
          best = own;
          own = none;
        }
      }
    }
    __syncthreads();
  }

  /// The task to fit again: both of the best two, if they look at the same rows, or else one.
  __device__ __forceinline__ Task task_again(std::uint32_t which) {
    const TriedTrial &one = memory_.again[0], &other = memory_.again[1];
    const bool together = one.place != no_fit && other.place != no_fit && one.part == other.part;
    if (together) {
      const std::uint32_t count = which == 0 && finds_more(one.part) ? 2 : 0;
      return {one.part, group_.rows, count, one.place, other.place - one.place, true};
    }
    const TriedTrial& of = which == 0 ? one : other;
    again_ = which;
    const std::uint32_t count = of.place != no_fit && finds_more(of.part) ? 1 : 0;
    return {of.part, group_.rows, count, of.place, 1, true};
  }

  /// May a second fit look at other rows than the first? As many as the first asked for tell
  /// nothing: picking stops there, in the middle of a step.
  __device__ __forceinline__ bool finds_more(std::uint32_t part) const {
    const bool all_found = picked_.part == part && picked_.next_word >= rows_.plane_words;
    return group_.rows != group_.rows_to_compare &&
           !(all_found && picked_.count < min(group_.rows, group_.rows_to_compare));
  }

  __device__ __forceinline__ void fit_trials(const Task& task) {
    const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const FitPart part = parts_[task.part];
    const bool streamed = task.rows > listed_rows;
    const std::uint32_t slices = task.count > fit_warps / 2 ? 1 : fit_warps / task.count;
    const std::uint32_t slice = warp % slices;
    __syncthreads();  // what others read of the tables and the list
#pragma unroll 1
    for (std::uint32_t begin = 0; begin < task.count; begin += fit_warps) {
      const std::uint32_t number = begin + warp / slices;
      const bool active = number < min(task.count, begin + fit_warps);
      const bool alone = slices == 1 && !streamed && begin != 0;
      const FitTrial trial = trials_[task.first + (active ? number : 0) * task.step];
      uint2* const table = table_of(warp / slices, trial.distinct);
      if (active && slice == 0) {
        for (std::uint32_t code = lane; code <= trial.distinct; code += 32) {
          table[code] = make_uint2(0, 0);
        }
      }
      const auto count = [&](std::uint32_t rows) {
        if (active) count_rows(trial, rows, slice * 32 + lane, slices * 32, table);
      };
      if (streamed || begin == 0) {
        if (streamed || picked_.part != task.part) picked_ = {task.part, 0, 0, 0};
        const std::uint32_t limit = streamed || list_limit_ == 0 ? task.rows : list_limit_;
        const auto* const comparisons =
            reinterpret_cast<const FitComparison*>(words_ + part.comparisons);
        RowPicker(rows_, part, comparisons, memory_.picked)
            .pick(task.rows, limit, picked_, [&](std::uint32_t rows) {
              count(rows);
              __syncthreads();
            });
      }
      if (alone) {
        __syncwarp();
      } else {
        __syncthreads();
      }
      count(streamed ? picked_.count : min(picked_.count, task.rows));
      if (slices == 1 && !streamed) {
        __syncwarp();
      } else {
        __syncthreads();
      }
      if (active && slice == 0) {
        const Fitted fitted = fit_counts<Gain>(Warp{}, table, trial, words_);
        if (lane == 0) keep(task, fitted, trial.number, number);
      }
      __syncwarp();
    }
    if (streamed) picked_.part = no_fit;
  }

  __device__ __forceinline__ uint2* table_of(std::uint32_t warp, std::uint32_t distinct) const {
    if (in_shared || distinct < tables_.shared_codes) return shared_ + warp * tables_.shared_codes;
    return tables_.scratch + (std::size_t{blockIdx.x} * fit_warps + warp) * tables_.scratch_codes;
  }

  __device__ __forceinline__ void count_rows(const FitTrial& trial, std::uint32_t rows,
                                             std::uint32_t first, std::uint32_t step,
                                             uint2* table) const {
    with_codes(rows_, trial, [&](const auto* codes) {
      count_codes(codes, memory_.picked.list, first, step, rows,
                  reinterpret_cast<std::uint32_t*>(table));
    });
  }

  /// Keeps the fit of a trial if it is wanted. One thread of a warp calls it.
  /// @param in_task  number of the trial in the task
  __device__ __forceinline__ void keep(const Task& task, const Fitted& fitted, std::uint32_t number,
                                       std::uint32_t in_task) {
    const bool gained = fitted.low != no_fit;
    if (task.is_again) {
      TriedTrial& of = memory_.again[task.count == 2 ? in_task : again_];
      of.chi_squared = fitted.chi_squared;
      if (gained) of.fitted = fitted;
      return;
    }
    TriedTrial(&best)[2] = memory_.best[threadIdx.x / 32];
    const TriedTrial tried = {fitted.chi_squared, fitted, number, task.first + in_task, task.part};
    if (best[0].number == no_fit || is_better(tried, best[0])) {
      best[1] = best[0];
      best[0] = tried;
    } else if (best[1].number == no_fit || is_better(tried, best[1])) {
      best[1] = tried;
    }
  }

  const FitRows& rows_;
  const std::uint32_t* const words_;
  const FitTables& tables_;
  FitMemory& memory_;
  uint2* const shared_;
  const FitGroup& group_;
  const FitPart* const parts_;
  const FitTrial* const trials_;
  std::uint32_t list_limit_ = 0;  ///< rows of a list that is used for all fits; 0 if there is none
  std::uint32_t again_ = 0;       ///< which of the best two is fitted alone
  PickedRows picked_;
};

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
