// Memory that the threads of a block share while they grow a rule.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/rule_sets/growth_kernel.hpp"

namespace atl::cuda {

inline constexpr std::uint32_t growth_threads = 512;  ///< of a block
inline constexpr std::uint32_t growth_warps = growth_threads / 32;

struct GrowthState {
  double gained, lost;  // of the best step, then of the rows so far
  double best_gain;
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

}  // namespace atl::cuda
