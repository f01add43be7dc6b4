// The coverage stage: a warp evaluates the terms of a group of rules on a tile
// (program_format.hpp).
#pragma once

#include <cstdint>

#include "cuda/count/term_memory.cuh"
#include "cuda/count/tile.cuh"
#include "cuda/host/program_format.hpp"

namespace atl::cuda {

/// Planes of a pass in registers.
class HeldPlanes {
 public:
  /// @param planes  the lowest, at the thread's words
  __device__ __forceinline__ HeldPlanes(const uint4* planes, std::uint32_t count) {
    if (count == pass_planes) {  // does without the zeros
#pragma unroll
      for (std::uint32_t p = 0; p < pass_planes; ++p) load(planes + p * tile_units, held_[p]);
      return;
    }
#pragma unroll
    for (std::uint32_t p = 0; p < pass_planes; ++p) {
      if (p < count) {
        load(planes + p * tile_units, held_[p]);
      } else {
        fill(held_[p], 0);
      }
    }
  }
  /// Compares by an attribute's lowest planes, or leaves the words.
  __device__ __forceinline__ void compare(std::uint32_t step, ThreadWords& words) const {
    compare_digits(step & step_lower_mask, step >> step_upper_shift & step_upper_mask, held_,
                   words);
  }
  /// Goes on from what the planes below say.
  __device__ __forceinline__ void go_on(std::uint32_t step, ThreadWords& words) const {
    compare_next_digits(step & step_lower_mask, step >> step_upper_shift & step_upper_mask, held_,
                        words);
  }

 private:
  ThreadWords held_[pass_planes];
};

/// Reads a stream two words ahead, so that a word is there when it is wanted; that is two words
/// beyond the end, too. All lanes read the same: the shuffle tells the compiler so, which otherwise
/// makes each jump to a digit's code one by way of a table of branches that lanes could part at.
class ProgramReader {
 public:
  __device__ explicit ProgramReader(const std::uint32_t* words)
      : next_(__shfl_sync(~0U, words[0], 0)), loaded_(words[1]), behind_(words + 2) {}
  __device__ __forceinline__ std::uint32_t take() {
    const std::uint32_t word = next_;
    next_ = __shfl_sync(~0U, loaded_, 0);
    loaded_ = *behind_++;
    return word;
  }

 private:
  std::uint32_t next_;
  std::uint32_t loaded_;
  const std::uint32_t* behind_;
};

/// The step's term, which its comparison is subtracted from.
template <typename Terms>
class StepTerm {
 public:
  /// Loads it: before the comparison is evaluated, which takes as long.
  __device__ __forceinline__ StepTerm(std::uint32_t step, const Terms& terms)
      : terms_(terms), term_(step >> step_term_shift & term_mask) {
    terms.load(term_, left_);
  }
  __device__ __forceinline__ void subtract(std::uint32_t step, const ThreadWords& words) {
    const auto complement =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(step) >> step_complement_shift);
#pragma unroll
    for (int w = 0; w < thread_words; ++w) left_[w] &= words[w] ^ complement;
    terms_.store(term_, left_);
  }

 private:
  const Terms& terms_;
  std::uint32_t term_;
  ThreadWords left_;
};

__device__ __forceinline__ bool is_again(std::uint32_t step) {
  return (step & step_lower_mask) == digit_again;
}

template <typename Terms, typename Result>
__device__ __forceinline__ void run_plain(const HeldPlanes& planes, std::uint32_t steps,
                                          ProgramReader& reader, const Terms& terms,
                                          const Result& result) {
  ThreadWords words;
  fill(words, 0);
#pragma unroll 1
  for (; steps != 0; --steps) {
    const std::uint32_t step = reader.take();
    StepTerm<Terms> term(step, terms);
    planes.compare(step, words);
    result(step, words);
    term.subtract(step, words);
  }
}

/// One of several passes.
template <typename Terms, typename Result>
__device__ __forceinline__ void run_wide(std::uint32_t flags, const HeldPlanes& planes,
                                         std::uint32_t steps, ProgramReader& reader,
                                         const Terms& terms, const Result& result) {
  std::uint32_t slot = reader.take();
  ThreadWords words;
  fill(words, 0);
#pragma unroll 1
  for (; steps != 0; --steps) {
    const std::uint32_t step = reader.take();
    if (!is_again(step)) {
      if ((flags & pass_begins) != 0) {
        fill(words, (step & digit_equal) != 0 ? ~0U : 0U);
      } else {
        terms.load(slot, words);
      }
      planes.go_on(step, words);
      if ((flags & pass_continues) != 0) {
        terms.store(slot++, words);
        continue;
      }
      ++slot;
    }
    result(step, words);
    StepTerm<Terms>(step, terms).subtract(step, words);
  }
}

/// Gives what the step's comparison says in a special pass, with what its bits want. False if it
/// ends in its slot.
template <typename Terms>
__device__ __forceinline__ bool compare_specially(std::uint32_t flags, std::uint32_t step,
                                                  std::uint32_t slot, const HeldPlanes& planes,
                                                  const uint4* present, const Terms& terms,
                                                  ThreadWords& words) {
  if ((flags & pass_begins) != 0) {
    fill(words, (step & digit_equal) != 0 ? ~0U : 0U);
  } else {
    terms.load(slot, words);
  }
  planes.go_on(step, words);
  if ((flags & pass_continues) != 0 || (step & step_hold) != 0) {
    terms.store(slot, words);
    return false;
  }
  if ((step & step_without) != 0) {
    ThreadWords held;
    terms.load(slot - 1, held);
#pragma unroll
    for (int w = 0; w < thread_words; ++w) words[w] = held[w] & ~words[w];
  }
  if ((step & step_outside) != 0) {
#pragma unroll
    for (int w = 0; w < thread_words; ++w) words[w] = ~words[w];
  }
  if ((step & step_present) != 0) {
    ThreadWords rows;
    load(present, rows);
#pragma unroll
    for (int w = 0; w < thread_words; ++w) words[w] &= rows[w];
  }
  return true;
}

template <typename Terms, typename Result>
__device__ __forceinline__ void run_special(std::uint32_t flags, const HeldPlanes& planes,
                                            const uint4* present, std::uint32_t steps,
                                            ProgramReader& reader, const Terms& terms,
                                            const Result& result) {
  ThreadWords words;
  fill(words, 0);
#pragma unroll 1
  for (; steps != 0; --steps) {
    const std::uint32_t step = reader.take();
    const std::uint32_t slot = reader.take();
    if (!is_again(step) && !compare_specially(flags, step, slot, planes, present, terms, words)) {
      continue;
    }
    result(step, words);
    StepTerm<Terms>(step, terms).subtract(step, words);
  }
}

/// All ones, from which comparisons are subtracted.
template <typename Terms>
__device__ __forceinline__ void fill_terms(std::uint32_t count, const Terms& terms) {
  ThreadWords ones;
  fill(ones, ~0U);
#pragma unroll 1
  for (std::uint32_t term = 0; term < count; ++term) terms.store(term, ones);
}

template <typename Terms>
__device__ __forceinline__ void fold_terms(std::uint32_t count, ProgramReader& reader,
                                           const Terms& terms) {
#pragma unroll 1
  for (; count != 0; --count) {
    const std::uint32_t fold = reader.take();
    const std::uint32_t target = fold & term_mask;
    const std::uint32_t source = fold >> fold_source_shift & term_mask;
    const std::uint32_t complement = (fold & fold_complement) != 0 ? ~0U : 0U;
    ThreadWords words;
    terms.load(source, words);
#pragma unroll
    for (int w = 0; w < thread_words; ++w) words[w] ^= complement;
    if ((fold & fold_begins) == 0) {
      ThreadWords left;
      terms.load(target, left);
#pragma unroll
      for (int w = 0; w < thread_words; ++w) words[w] &= left[w];
      fill(left, ~0U);
      terms.store(source, left);
    }
    terms.store(target, words);
  }
}

/// Evaluates all terms of a group.
/// @param result  called with a step and its words, bits beyond the rows included; if it
///                is_again(), with those of the comparison before
template <typename Terms, typename Result>
__device__ __forceinline__ void evaluate_terms(const Tile& tile, ProgramReader& reader,
                                               const Terms& terms, const Result& result) {
#pragma unroll 1
  for (std::uint32_t passes = reader.take(); passes != 0; --passes) {
    const uint4* const lowest = tile.plane(reader.take());
    const std::uint32_t flags = reader.take();
    const uint4* const present = tile.plane(reader.take());
    const std::uint32_t steps = reader.take();
    const HeldPlanes held(lowest, flags & pass_planes_mask);
    if ((flags & pass_special) != 0) {
      run_special(flags, held, present, steps, reader, terms, result);
    } else if ((flags & (pass_begins | pass_continues)) != pass_begins) {
      run_wide(flags, held, steps, reader, terms, result);
    } else {
      run_plain(held, steps, reader, terms, result);
    }
    fold_terms(flags >> pass_folds_shift, reader, terms);
  }
}

/// A side of a rule.
template <typename Terms>
__device__ __forceinline__ void load_side(const Terms& terms, std::uint32_t side,
                                          ThreadWords& words) {
  terms.load(side & term_mask, words);
  const std::uint32_t complement = (side & 1U << 15) != 0 ? ~0U : 0U;
#pragma unroll
  for (int w = 0; w < thread_words; ++w) words[w] ^= complement;
}

}  // namespace atl::cuda
