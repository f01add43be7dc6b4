// Evaluation of a compiled batch on one slice of rows, small enough that the planes of all
// attributes stay in the innermost cache while every rule of the batch runs over them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/eval/batch.hpp"

namespace atl {

/// Words of a slice: 2048 rows, so that 128 planes take 32 KiB.
inline constexpr std::size_t slice_words = 32;

/// Where the planes of an attribute begin in a partition; `present` follows the others if there.
struct AttributePlanes {
  const std::uint64_t* first = nullptr;  ///< 64-byte aligned
  std::uint32_t planes = 0;
};

struct SliceInput {
  std::span<const AttributePlanes> attributes;
  std::size_t stride = 0;               ///< words from a plane of an attribute to its next
  std::size_t word = 0;                 ///< first word of the slice, a multiple of slice_words
  std::size_t words = 0;                ///< at most slice_words, a multiple of 8
  const std::uint64_t* rows = nullptr;  ///< [words] bits of the rows that exist; aligned
  std::uint64_t first_row = 0;          ///< index in the whole dataset
};

/// Sums over slices; all of them add, whatever the order.
struct BatchCounters {
  std::vector<std::uint64_t> rules;     ///< [rules][3] antecedent, consequent, both
  std::vector<std::uint64_t> present;   ///< [present sets] rows on which all of the set are present
  std::vector<std::uint64_t> supports;  ///< [comparisons], empty if not requested
  std::vector<std::uint64_t> hashes;    ///< [rules][2], empty if not requested

  void reset(const Batch& batch);
  void add(const BatchCounters& other) noexcept;
};

/// Working memory of one thread.
struct SliceScratch {
  AlignedWords slots;   ///< [slots][slice_words]
  AlignedWords stack;   ///< [stack][slice_words]
  AlignedWords bases;   ///< [present sets][slice_words] rows that count for rules of the set
  AlignedWords covers;  ///< [2][slice_words] rows that a rule's sides hold on
  std::vector<std::uint64_t> row_hashes;  ///< [slice_words * 64]

  void reserve(const Batch& batch);
};

/// Adds the slice's counts. Runs the best code that the processor has (Highway).
/// @pre scratch reserved and counters reset for the batch
void count_slice(const Batch& batch, const SliceInput& slice, SliceScratch& scratch,
                 BatchCounters& counters);

}  // namespace atl
