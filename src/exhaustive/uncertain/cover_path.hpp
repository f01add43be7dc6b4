// Sums of covers on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/exhaustive/levels/row_blocks.hpp"
#include "src/exhaustive/uncertain/cover_sums.hpp"
#include "src/exhaustive/uncertain/uncertain_columns.hpp"

namespace atl {

/// What is added up of each uncertain transaction, as numbers that FixedSum::fixed() made.
struct RowMoments {
  explicit RowMoments(const UncertainColumns& columns);

  std::vector<std::uint64_t> means, variances;  ///< [rows] p and p (1 - p)
};

/// The covers of a set's first item, of its first two, and so on, with their sums. A set that
/// begins as the last one did costs little, as its prefix is known. Where fewer of the prefix's
/// transactions lack the last item than have it, what those have is subtracted from the prefix's
/// sums. As sums are exact, the outcome is the same.
class CoverPath {
 public:
  /// @param set  ranks, not empty @param columns, moments  the same in all calls
  CoverSums sum(std::span<const std::uint32_t> set, const UncertainColumns& columns,
                const RowMoments& moments);

 private:
  void set_prefix(std::span<const std::uint32_t> prefix, const UncertainColumns& columns,
                  const RowMoments& moments);

  PathRows rows_;                // of the prefix
  std::vector<CoverSums> sums_;  // [prefix]
};

}  // namespace atl
