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

/// Sums over slices; all of them add, whatever the order.
struct BatchCounters {
  std::vector<std::uint64_t> rules;     ///< [rules][3] antecedent, consequent, both
  std::vector<std::uint64_t> present;   ///< [present sets] rows on which all of the set are present
  std::vector<std::uint64_t> supports;  ///< [comparisons], empty if not requested
  std::vector<std::uint64_t> hashes;    ///< [rules][2], empty if not requested

  void reset(const Batch& batch);
  void add(const BatchCounters& other) noexcept;
};

/// A slice as the kernel reads it, and working memory; of one thread. Planes are copied next to
/// each other: in the dataset they lie pages apart, more than the processor keeps translations of.
struct Slice {
  std::size_t words = 0;        ///< at most slice_words, a multiple of 8
  std::uint64_t first_row = 0;  ///< index in the whole dataset
  AlignedWords rows;            ///< [slice_words] bits of the rows that exist
  AlignedWords planes;
  /// [attributes] of those that the batch uses: [planes, then present][slice_words], within planes
  std::vector<const std::uint64_t*> first_plane;
  std::vector<std::uint32_t> plane_count;  ///< [attributes] without `present`

  AlignedWords slots;                     ///< [slots][slice_words]
  AlignedWords stack;                     ///< [stack][slice_words]
  AlignedWords bases;                     ///< [present sets][slice_words] rows that count for them
  AlignedWords covers;                    ///< [2][slice_words] rows that a rule's sides hold on
  std::vector<std::uint64_t> row_hashes;  ///< [slice_words * 64]

  /// Before the first load() for a batch; keeps what it has if that is enough.
  void reserve(const Dataset& dataset, const Batch& batch);
  /// @param index  below slices_of(dataset)
  void load(const Dataset& dataset, const Batch& batch, std::uint64_t index);
};

/// Number of slices that a dataset has. A slice never spans partitions.
std::uint64_t slices_of(const Dataset& dataset) noexcept;

/// Adds the slice's counts. Runs the best code that the processor has (Highway).
/// @pre loaded, and counters reset, for the batch
void count_slice(const Batch& batch, Slice& slice, BatchCounters& counters);

}  // namespace atl
