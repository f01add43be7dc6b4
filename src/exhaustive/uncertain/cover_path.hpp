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

/// What is added up of each transaction that is not certain, by FixedSum::fixed().
struct RowMoments {
  explicit RowMoments(const UncertainColumns& columns);

  std::vector<std::uint64_t> means, variances;  ///< [rows] p and p (1 - p)
};

/// The covers of a set's first items, of its first two, and so on, with their sums. A set that
/// begins as the last one did costs little: its sums are those of its prefix without what the
/// transactions have that lack its last item, if these are the fewer ones. As sums are exact, that
/// is the same.
class CoverPath {
 public:
  /// @param set  ranks, not empty; the columns are the same each time
  CoverSums sum(std::span<const std::uint32_t> set, const UncertainColumns& columns,
                const RowMoments& moments);

 private:
  void set_prefix(std::span<const std::uint32_t> prefix, const UncertainColumns& columns,
                  const RowMoments& moments);

  std::vector<std::uint32_t> prefix_;
  std::vector<RowBlocks> rows_;  // [prefix] its first items' transactions
  std::vector<CoverSums> sums_;  // [prefix]
};

}  // namespace atl
