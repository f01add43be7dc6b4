// The rows of a window that matter for a rule, and what a block counts of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/rule_sets/growth_kernel.hpp"
#include "src/sampling/comparison_rows.hpp"
#include "src/sampling/growth_formulas.hpp"

namespace atl::cuda {

__device__ __forceinline__ const unsigned long long* row_set(const GrowthRows& rows,
                                                             std::uint32_t number) {
  return rows.sets + std::size_t{number} * rows.words;
}

__device__ __forceinline__ std::uint32_t sets_of(const GrowthTerm& term) {
  return term.sets_and_rule & GrowthTerm::sets_mask;
}

/// Reads words of some terms at once, so that memory is asked for all of them before it has
/// answered.
template <int count>
__device__ __forceinline__ void words_of(const GrowthRows& rows, const GrowthTerm (&terms)[count],
                                         std::uint32_t word, unsigned long long (&out)[count]) {
  unsigned long long without[count], present[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const GrowthTerm& term = terms[i];
    const bool negated = (term.present & ComparisonRows::negation) != 0;
    out[i] = sets_of(term) == 0 ? 0 : row_set(rows, term.first)[word];
    without[i] = term.without == no_row_set ? 0 : row_set(rows, term.without)[word];
    present[i] = negated ? row_set(rows, term.present & ~ComparisonRows::negation)[word] : 0;
  }
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const GrowthTerm& term = terms[i];
    for (std::uint32_t s = 1; s < sets_of(term); ++s) {
      out[i] |= row_set(rows, term.first + s)[word];
    }
    out[i] &= ~without[i];
    if ((term.present & ComparisonRows::negation) != 0) out[i] = present[i] & ~out[i];
  }
}

__device__ __forceinline__ unsigned long long word_of(const GrowthRows& rows,
                                                      const GrowthTerm& term, std::uint32_t word) {
  const GrowthTerm terms[1] = {term};
  unsigned long long out[1];
  words_of(rows, terms, word, out);
  return out[0];
}

/// The first literal of an attribute whose code is at least this one, or the attribute's end.
__device__ inline std::uint32_t find_literal(const GrowthRows& rows,
                                             const GrowthAttribute& attribute, std::uint32_t code) {
  std::uint32_t first = attribute.first_literal, end = first + attribute.literals;
  while (first < end) {
    const std::uint32_t middle = first + (end - first) / 2;
    if (rows.literals[middle].y < code) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

/// The term of a comparison as it is grown, like ClassSample::rows_of().
__device__ inline GrowthTerm term_of(const GrowthRows& rows, const GrowthComparison& comparison) {
  const GrowthAttribute& attribute = rows.attributes[comparison.attribute];
  const std::uint32_t end = attribute.first_literal + attribute.literals;
  GrowthTerm term = {0, 0, no_row_set, attribute.present};
  constexpr std::uint32_t missing = 0xFFFFFFFF;  // `is missing` names this code
  if (comparison.low == missing) return {rows.all, 1, attribute.present, attribute.present};
  if (comparison.negated != 0) term.present |= ComparisonRows::negation;
  const bool ordered = attribute.ordered != 0 || attribute.distinct == 2;
  const bool to_last = comparison.high + 1 >= attribute.distinct;
  const auto literal_of = [&](std::uint32_t code) {
    const std::uint32_t found = find_literal(rows, attribute, code);
    return found < end && rows.literals[found].y == code ? found : no_row_set;
  };
  if (!ordered && (comparison.low > 0 || !to_last)) {
    term.first = find_literal(rows, attribute, comparison.low);
    term.sets_and_rule = find_literal(rows, attribute, comparison.high + 1) - term.first;
    return term;
  }
  const std::uint32_t high = to_last ? attribute.present : literal_of(comparison.high);
  if (high != no_row_set) {
    term.first = high;
    term.sets_and_rule = 1;
  }
  if (comparison.low > 0) term.without = literal_of(comparison.low - 1);
  return term;
}

inline constexpr std::uint32_t growth_threads = 512;  ///< of a block
inline constexpr std::uint32_t growth_warps = growth_threads / 32;

struct GrowthState {
  double gained, lost;  // of the best step, then of the rows so far
  double best_gain;
  double odds;
  double scores[growth_warps];
  std::uint32_t places[growth_warps];
  std::uint32_t label;
  std::uint32_t runs;
  std::uint32_t comparisons;  // of the conjunction so far
  std::uint32_t best;         // comparisons of the best conjunction
  std::uint32_t go_on;
};

/// Positions of the parts, in bytes from the first. What comes last may be in device memory
/// instead.
struct GrowthLayout {
  std::size_t counts, weights, runs, conjunction, best, terms, shared_end;
  std::size_t scratch_bytes;

  __host__ __device__ GrowthLayout(const GrowthRows& rows, const GrowthBatch& batch) {
    counts = (sizeof(GrowthState) + 15) / 16 * 16;
    weights = counts + growth_counts * sizeof(std::uint32_t);
    runs = weights + std::size_t{rows.classes} * sizeof(double);
    conjunction = (runs + std::size_t{rows.classes} * sizeof(uint2) + 15) / 16 * 16;
    const std::size_t comparisons = std::size_t{batch.most_comparisons} * 16;
    best = conjunction + comparisons;
    terms = best + comparisons;
    shared_end = terms + comparisons;
    scratch_bytes = std::size_t{rows.missing_count} * sizeof(double2) +
                    (std::size_t{rows.most_words} * 3 * sizeof(unsigned long long) + 15) / 16 * 16;
  }
};

struct GrowthMemory {
  GrowthState& state;
  std::uint32_t* counts;  // [growth_counts]
  double* weights;        // [classes] of wrong rows, then [runs] of a row; negative: lost
  uint2* runs;            // [runs] first word and end of words of equal weight
  GrowthComparison* conjunction;
  GrowthComparison* best;
  GrowthTerm* terms;           // of a conjunction
  double2* present;            // [missing] balance of the rows with a value
  unsigned long long* all;     // [words of the window] rows that matter for the label
  unsigned long long* mask;    // [words] of those, on which the conjunction holds
  unsigned long long* single;  // [words] scratch

  __device__ GrowthMemory(const GrowthLayout& at, std::byte* shared, std::byte* scratch,
                          const GrowthRows& rows)
      : state(*reinterpret_cast<GrowthState*>(shared)),
        counts(reinterpret_cast<std::uint32_t*>(shared + at.counts)),
        weights(reinterpret_cast<double*>(shared + at.weights)),
        runs(reinterpret_cast<uint2*>(shared + at.runs)),
        conjunction(reinterpret_cast<GrowthComparison*>(shared + at.conjunction)),
        best(reinterpret_cast<GrowthComparison*>(shared + at.best)),
        terms(reinterpret_cast<GrowthTerm*>(shared + at.terms)),
        present(reinterpret_cast<double2*>(scratch)),
        all(reinterpret_cast<unsigned long long*>(present + rows.missing_count)),
        mask(all + rows.most_words),
        single(mask + rows.most_words) {}
};

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
  __device__ void make_runs(const double* weights) const {
    std::uint32_t runs = 0;
    for (std::uint32_t c = 0; c < rows_.classes; ++c) {
      const uint2 words = words_of_class(c);
      if (words.x == words.y) continue;
      const double weight = counted_weight(weights[c], c == state_.label, state_.odds);
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
  /// Rows in the mask.
  __device__ std::uint32_t rows() const {
    const std::uint32_t share = (words_ + growth_warps - 1) / growth_warps;
    const std::uint32_t first = min(growth_warp() * share, words_);
    const std::uint32_t own = count(nullptr, make_uint2(first, min(first + share, words_)));
    if (growth_lane() == 0) state_.places[growth_warp()] = own;
    __syncthreads();
    std::uint32_t sum = 0;
    for (std::uint32_t w = 0; w < growth_warps; ++w) sum += state_.places[w];
    __syncthreads();
    return sum;
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
