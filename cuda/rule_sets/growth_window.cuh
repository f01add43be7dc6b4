// The rows of a window that matter for a rule, and what a block counts of them.
#pragma once

#include <cstdint>

#include "cuda/rule_sets/growth_memory.cuh"
#include "cuda/rule_sets/growth_rows.cuh"
#include "src/sampling/growth_formulas.hpp"

namespace atl::cuda {

__device__ __forceinline__ std::uint32_t growth_lane() {
  return threadIdx.x % 32;
}
__device__ __forceinline__ std::uint32_t growth_warp() {
  return threadIdx.x / 32;
}

/// The rows among which a rule grows. All threads of a block call its functions, unless said
/// otherwise.
class GrowthWindow {
 public:
  __device__ GrowthWindow(const GrowthRows& rows, const GrowthMemory& memory, std::uint32_t window)
      : rows_(rows),
        memory_(memory),
        state_(memory.state),
        classes_(rows.windows + window * (rows.classes + 1)),
        first_(classes_[0]),
        words_(classes_[rows.classes] - first_) {}

  __device__ std::uint32_t first() const { return first_; }  // of its words in the sample
  __device__ std::uint32_t words() const { return words_; }
  /// Words of a class, from the window's first.
  __device__ uint2 words_of_class(std::uint32_t c) const {
    return make_uint2(classes_[c] - first_, classes_[c + 1] - first_);
  }

  /// Makes the runs of classes; neighbouring classes of the same weight are counted as one. One
  /// thread calls it.
  /// @param weights  [classes] of a row
  __device__ void make_runs(std::uint32_t label, const double* weights) const {
    std::uint32_t runs = 0;
    for (std::uint32_t c = 0; c < rows_.classes; ++c) {
      const uint2 words = words_of_class(c);
      if (words.x == words.y) continue;
      const double weight = c == label ? weights[c] : -weights[c];
      if (runs != 0 && memory_.weights[runs - 1] == weight) {
        memory_.runs[runs - 1].y = words.y;
      } else {
        memory_.weights[runs] = weight;
        memory_.runs[runs++] = words;
      }
    }
    state_.runs = runs;
  }

  /// Rows that the mask has in common with a set, by a warp.
  /// @param set  null: all rows
  __device__ std::uint32_t count(const unsigned long long* set, const uint2& run) const {
    constexpr std::uint32_t at_once = 4;
    std::uint32_t sum = 0;
    for (std::uint32_t w = run.x + growth_lane(); w < run.y; w += 32 * at_once) {
      unsigned long long words[at_once];
#pragma unroll
      for (std::uint32_t i = 0; i < at_once; ++i) {
        const std::uint32_t at = w + 32 * i;
        words[i] = at < run.y ? memory_.mask[at] : 0;
      }
      if (set != nullptr) {
#pragma unroll
        for (std::uint32_t i = 0; i < at_once; ++i) {
          if (words[i] != 0) words[i] &= set[first_ + w + 32 * i];
        }
      }
#pragma unroll
      for (std::uint32_t i = 0; i < at_once; ++i) sum += __popcll(words[i]);
    }
    return __reduce_add_sync(~0U, sum);
  }
  /// Counts the rows of each run, by a warp: short runs by a lane each, the others by all lanes.
  /// @param out  [runs]
  __device__ void count(std::uint32_t set, std::uint32_t* out) const {
    const unsigned long long* const words = row_set(rows_, set);
    for (std::uint32_t first = 0; first < state_.runs; first += 32) {
      const std::uint32_t own = first + growth_lane();
      const uint2 run = own < state_.runs ? memory_.runs[own] : make_uint2(0, 0);
      const bool is_short = run.y - run.x <= lane_words;
      if (is_short && own < state_.runs) {
        std::uint32_t sum = 0;
        for (std::uint32_t w = run.x; w < run.y; ++w) {
          const unsigned long long open = memory_.mask[w];
          if (open != 0) sum += __popcll(open & words[first_ + w]);
        }
        out[own] = sum;
      }
      for (std::uint32_t left = __ballot_sync(~0U, !is_short); left != 0; left &= left - 1) {
        const std::uint32_t r = first + __ffs(static_cast<int>(left)) - 1;
        const std::uint32_t rows = count(words, memory_.runs[r]);
        if (growth_lane() == 0) out[r] = rows;
      }
    }
  }
  __device__ GrowthBalance balance_of(const std::uint32_t* counts) const {
    GrowthBalance balance;
    for (std::uint32_t r = 0; r < state_.runs; ++r) balance.add(memory_.weights[r], counts[r]);
    return balance;
  }

  /// Makes the terms of a conjunction.
  __device__ void resolve(const GrowthComparison* conjunction, std::uint32_t comparisons) const {
    for (std::uint32_t i = threadIdx.x; i < comparisons; i += growth_threads) {
      memory_.terms[i] = term_of(rows_, conjunction[i]);
    }
    __syncthreads();
  }

  /// Leaves in the mask the rows that matter on which all of them hold.
  __device__ GrowthBalance narrow_to(const GrowthComparison* conjunction,
                                     std::uint32_t comparisons) const {
    resolve(conjunction, comparisons);
    for (std::uint32_t w = threadIdx.x; w < words_; w += growth_threads) {
      unsigned long long left = memory_.all[w];
      for (std::uint32_t i = 0; i < comparisons && left != 0; ++i) {
        left &= word_of(rows_, memory_.terms[i], first_ + w);
      }
      memory_.mask[w] = left;
    }
    __syncthreads();
    for (std::uint32_t r = growth_warp(); r < state_.runs; r += growth_warps) {
      const std::uint32_t rows = count(nullptr, memory_.runs[r]);
      if (growth_lane() == 0) memory_.counts[r] = rows;
    }
    __syncthreads();
    return balance_of(memory_.counts);
  }

  /// @param place  of a literal's side (GrowthBlock::Best)
  __device__ void narrow_by(std::uint32_t place) const {
    const std::uint32_t literal = place / 2;
    const unsigned long long* const set = row_set(rows_, literal) + first_;
    const GrowthAttribute& attribute = rows_.attributes[rows_.literals[literal].x];
    const unsigned long long* const present = row_set(rows_, attribute.present) + first_;
    for (std::uint32_t w = threadIdx.x; w < words_; w += growth_threads) {
      memory_.mask[w] &= place % 2 == 0 ? set[w] : present[w] & ~set[w];
    }
  }

 private:
  /// Words that a lane counts while the others count theirs. To add up what all lanes counted takes
  /// about as long as to read so many.
  static constexpr std::uint32_t lane_words = 8;

  const GrowthRows& rows_;
  const GrowthMemory& memory_;
  GrowthState& state_;
  const std::uint32_t* classes_;  // [classes + 1] first word of each
  std::uint32_t first_;
  std::uint32_t words_;
};

}  // namespace atl::cuda
