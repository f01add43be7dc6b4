// The values of a numeric attribute as whole numbers, which sums over rows are exact on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/counting_options.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// value = (origin + step level) / divisor. Exact where the values are decimals of up to 9 places
/// whose differences have a common divisor of which the greatest is less than 2^bits multiples;
/// else levels are the nearest multiples of a power of two, at most 2^-(bits - 1) of the range off.
struct TargetScale {
  /// @param attribute  numeric, not binned, with a value
  /// @param rows  of the whole; bounds the sums: bits is at most 32, fewer beyond 2^31 rows
  TargetScale(const Attribute& attribute, std::uint64_t rows);

  std::vector<std::uint32_t> levels;  ///< [codes]
  std::uint32_t planes = 1;           ///< bits of the greatest level
  double origin = 0, step = 1, divisor = 1;
};

/// Sums of the levels of some rows, and of their squares if those are wanted.
struct LevelSums {
  using Wide = unsigned __int128;
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;
  Wide squares = 0;

  void add(std::uint32_t level) noexcept {
    ++rows;
    sum += level;
    squares += Wide{level} * level;
  }
};

/// A numeric attribute's levels summed over all rows of a dataset that have a value, with squares.
struct TargetTotals {
  /// @pre the attribute has counts
  TargetTotals(const Dataset& dataset, std::uint32_t attribute);

  TargetScale scale;
  LevelSums all;
};

/// @param both  of a rule's rows, with squares if the target wants deviations
TargetMoments target_moments(const TargetTotals& totals, const MeanTarget& target,
                             const LevelSums& both) noexcept;

/// The levels of a dataset's rows, as bit-sliced evaluation reads them.
class TargetPlanes {
 public:
  /// @param slice_words  words of a slice, which divide a partition's but the last one's
  TargetPlanes(const Dataset& dataset, std::uint32_t attribute, std::size_t slice_words);

  const TargetScale& scale() const noexcept { return scale_; }
  /// [scale().planes][slice_words] bits of the levels, low bit first, zero where there is no row or
  /// no value.
  const std::uint64_t* planes(std::uint64_t slice) const noexcept {
    return planes_.data() + slice * scale_.planes * slice_words_;
  }
  /// [slice_words * 64]
  const std::uint32_t* levels(std::uint64_t slice) const noexcept {
    return levels_.data() + slice * slice_words_ * 64;
  }

 private:
  TargetScale scale_;
  std::size_t slice_words_;
  std::vector<std::uint32_t> levels_;  // of every row
  AlignedWords planes_;
};

}  // namespace atl
