// The coverage stage: a warp evaluates the terms of a group of rules on a tile
// (program_format.hpp).
#pragma once

#include <cstdint>

#include "cuda/program_format.hpp"
#include "cuda/term_memory.cuh"
#include "cuda/tile.cuh"

namespace atl::cuda {

inline constexpr std::uint32_t code_mask = (1U << digit_bits) - 1;

/// Planes of a pass in registers.
class HeldPlanes {
 public:
  /// @param planes  the lowest, at the thread's words
  __device__ __forceinline__ HeldPlanes(const uint4* planes, std::uint64_t stride,
                                        std::uint32_t count) {
#pragma unroll
    for (std::uint32_t p = 0; p < pass_planes; ++p) {
      if (p < count) {
        load(planes + p * stride, held_[p]);
      } else {
        fill(held_[p], 0);
      }
    }
  }
  /// Of an attribute's only pass.
  __device__ __forceinline__ void compare(std::uint32_t step, ThreadWords& words) const {
    lowest_digit(step & code_mask, held_, words);
    next_digit(step >> digit_bits & code_mask, held_ + digit_planes, words);
  }
  /// Goes on from what the planes below say.
  __device__ __forceinline__ void go_on(std::uint32_t step, ThreadWords& words) const {
    next_digit(step & code_mask, held_, words);
    next_digit(step >> digit_bits & code_mask, held_ + digit_planes, words);
  }

 private:
  ThreadWords held_[pass_planes];
};

/// What a step says beside its digits. False if there is no term for it.
__device__ __forceinline__ bool modify(std::uint32_t step, const uint4* present, ThreadWords& kept,
                                       ThreadWords& words) {
  if ((step & step_hold) != 0) {
#pragma unroll
    for (int w = 0; w < thread_words; ++w) kept[w] = words[w];
    return false;
  }
  if ((step & step_without) != 0) {
#pragma unroll
    for (int w = 0; w < thread_words; ++w) words[w] = kept[w] & ~words[w];
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

/// Reads a stream a word ahead, so that it is there when it is wanted; that is one word beyond the
/// end, too.
class ProgramReader {
 public:
  __device__ explicit ProgramReader(const std::uint32_t* words)
      : next_(*words), behind_(words + 1) {}
  __device__ __forceinline__ std::uint32_t take() {
    const std::uint32_t word = next_;
    next_ = *behind_++;
    return word;
  }

 private:
  std::uint32_t next_;
  const std::uint32_t* behind_;
};

/// Subtracts a comparison from the terms that the step, and the words behind it, name.
template <typename Terms>
__device__ __forceinline__ void join(std::uint32_t step, ProgramReader& reader,
                                     const ThreadWords& words, const Terms& terms) {
  while (true) {
    const std::uint32_t term = step >> step_term_shift & term_mask;
    const std::uint32_t complement = (step & step_complement) != 0 ? ~0U : 0U;
    ThreadWords left;
    fill(left, ~0U);
    if ((step & step_first) == 0) terms.load(term, left);
#pragma unroll
    for (int w = 0; w < thread_words; ++w) left[w] &= words[w] ^ complement;
    terms.store(term, left);
    if ((step & step_more) == 0) return;
    step = reader.take();
  }
}

/// A pass of one of an attribute's several: words come from slots, and go there if it continues.
template <typename Terms, typename Result>
__device__ __forceinline__ void run_part(std::uint32_t flags, const HeldPlanes& planes,
                                         const uint4* present, std::uint32_t steps,
                                         ProgramReader& reader, const Terms& terms,
                                         const Result& result) {
  ThreadWords kept;
#pragma unroll 1
  for (; steps != 0; --steps) {
    const std::uint32_t step = reader.take();
    const bool continues = (flags & pass_continues) != 0;
    const std::uint32_t slot = continues ? step >> step_term_shift & term_mask : reader.take();
    ThreadWords words;
    if ((flags & pass_begins) != 0) {
      fill(words, (step & digit_equal) != 0 ? ~0U : 0U);
    } else {
      terms.load(slot, words);
    }
    planes.go_on(step, words);
    if (continues) {
      terms.store(slot, words);
    } else if (modify(step, present, kept, words)) {
      result(words);
      join(step, reader, words, terms);
    }
  }
}

/// The only pass of an attribute.
template <typename Terms, typename Result>
__device__ __forceinline__ void run_whole(const HeldPlanes& planes, const uint4* present,
                                          std::uint32_t steps, ProgramReader& reader,
                                          const Terms& terms, const Result& result) {
  ThreadWords kept;
#pragma unroll 1
  for (; steps != 0; --steps) {
    const std::uint32_t step = reader.take();
    ThreadWords words;
    planes.compare(step, words);
    if ((step & (step_hold | step_without | step_outside | step_present)) != 0) {
      if (!modify(step, present, kept, words)) continue;
    }
    result(words);
    join(step, reader, words, terms);
  }
}

/// Terms that no comparison is subtracted from.
template <typename Terms>
__device__ void fill_blanks(ProgramReader& reader, const Terms& terms) {
#pragma unroll 1
  for (std::uint32_t blanks = reader.take(); blanks != 0; --blanks) {
    ThreadWords ones;
    fill(ones, ~0U);
    terms.store(reader.take(), ones);
  }
}

/// Evaluates all terms of a group.
/// @param result  called with the words of each comparison, bits beyond the rows included
template <typename Terms, typename Result>
__device__ __forceinline__ void evaluate_terms(const DeviceRows& rows, ProgramReader& reader,
                                               const Tile& tile, const Terms& terms,
                                               const Result& result) {
  const uint4* const planes = rows.planes + tile.unit;
#pragma unroll 1
  for (std::uint32_t passes = reader.take(); passes != 0; --passes) {
    const uint4* const lowest = planes + reader.take() * rows.stride;
    const std::uint32_t flags = reader.take();
    const uint4* const present = planes + reader.take() * rows.stride;
    const std::uint32_t steps = reader.take();
    const HeldPlanes held(lowest, rows.stride, flags & (pass_begins - 1));
    if (flags < pass_begins) {
      run_whole(held, present, steps, reader, terms, result);
    } else {
      run_part(flags, held, present, steps, reader, terms, result);
    }
  }
#pragma unroll 1
  for (std::uint32_t folds = reader.take(); folds != 0; --folds) {
    const std::uint32_t fold = reader.take();
    const std::uint32_t complement = (fold & 1U << 30) != 0 ? ~0U : 0U;
    ThreadWords left, source;
    terms.load(fold & term_mask, left);
    terms.load(fold >> 15 & term_mask, source);
#pragma unroll
    for (int w = 0; w < thread_words; ++w) left[w] &= source[w] ^ complement;
    terms.store(fold & term_mask, left);
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
