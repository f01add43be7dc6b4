// Evaluation of a compiled batch on one slice of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/eval/batch.hpp"
#include "src/eval/plane_program.hpp"
#include "src/eval/target_values.hpp"

namespace atl {

/// Words of a slice: 4096 rows, four tiles, which partitions are a multiple of.
inline constexpr std::size_t slice_words = 64;
static_assert(slice_words % tile_words == 0 && partition_granule % (slice_words * 64) == 0);

/// Each comparison's support is the sum of so many words, one a vector lane: to join the lanes of a
/// vector takes longer than to count its bits.
inline constexpr std::size_t support_lanes = 8;

/// Sums over slices; all of them add, whatever the order.
struct BatchCounters {
  std::vector<std::uint64_t> rules;    ///< [rules][3] antecedent, consequent, both
  std::vector<std::uint64_t> present;  ///< [present sets] rows on which all of the set are present
  std::vector<std::uint64_t> hashes;   ///< [rules][2], empty if not requested
  /// [rules] of the levels of both; empty if there is no target, squares also if not requested
  std::vector<std::uint64_t> sums;
  std::vector<LevelSums::Wide> squares;

  /// [positions in the program][support_lanes] if requested; only the first support_words count
  AlignedWords supports;
  std::size_t support_words = 0;

  void reset(const Batch& batch);
  void add(const BatchCounters& other) noexcept;
  std::uint64_t support(std::uint32_t position) const noexcept;
};

/// A slice as the kernel reads it, and working memory; of one thread. Planes are copied next to
/// each other: in the dataset they lie pages apart, more than the processor keeps translations of.
struct Slice {
  std::size_t words = 0;        ///< at most slice_words, a multiple of tile_words
  std::uint64_t first_row = 0;  ///< index in the whole dataset
  AlignedWords rows;            ///< [slice_words] bits of the rows that exist
  AlignedWords planes;
  /// [attributes] of those that the batch uses: [planes, then present][slice_words], within planes
  std::vector<const std::uint64_t*> first_plane;
  std::vector<std::uint32_t> plane_count;  ///< [attributes] without `present`
  std::vector<bool> has_present;           ///< [attributes]

  /// [attributes] words of the first plane that the next slice of the partition has; null if none
  std::vector<const std::uint64_t*> ahead;
  std::size_t ahead_stride = 0;  ///< words from one plane to the next

  const TargetPlanes* target = nullptr;  ///< of the batch's, if it has one
  std::uint64_t index = 0;               ///< of this slice

  AlignedWords terms;                     ///< [terms of a group][tile_words] ones between tiles
  AlignedWords tallies;                   ///< [rules of a group][tile_words] counts of each lane
  AlignedWords bases;                     ///< [present sets][slice_words] rows that count for them
  std::vector<std::uint64_t> row_hashes;  ///< [slice_words * 64]

  /// Makes room before the first load() for a batch; keeps what it has if that is enough.
  void reserve(const Dataset& dataset, const Batch& batch);
  /// @param number  below slices_of(dataset)
  void load(const Dataset& dataset, const Batch& batch, std::uint64_t number);
};

/// Number of slices that a dataset has. A slice never spans partitions.
std::uint64_t slices_of(const Dataset& dataset) noexcept;

/// The form of bounds that count_slice() takes, which depends on the instruction set.
BoundForm bound_form();

/// Adds the slice's counts. Runs the best code that the processor has (Highway).
/// @pre loaded, and counters reset, for the batch; the program is the batch's, of bound_form()
void count_slice(const Batch& batch, const PlaneProgram& program, Slice& slice,
                 BatchCounters& counters);

}  // namespace atl
