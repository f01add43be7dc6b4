// The comparisons on one attribute that gain most on some rows of a sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/grammar/grammar.hpp"
#include "src/sampling/row_sample.hpp"

namespace atl {

/// What the rows of each level of an attribute gain. [levels]
struct LevelGains {
  std::vector<std::int64_t> gains;
  std::vector<double> squares;  ///< sums of squared gains
};

/// Levels low to high.
struct LevelRange {
  std::uint32_t low = 0, high = 0;
  std::int64_t gain = 0;
};

/// Finds single labels and, in one pass over the levels, the intervals and one-sided bounds of most
/// gain (Fukuda et al. 1996). Of many cut points some are good by chance, so that bounds that are
/// the best of all hold less on other rows. Therefore bounds lie on a grid of 16 bins of equally
/// many rows, and leave it only for more than two standard errors of what they gain: the root of
/// the squared gains of the rows between.
class BestParts {
 public:
  /// The arguments must outlive it.
  BestParts(const RowSample& sample, const BoundGrammar& grammar);

  /// Comparisons that the grammar has.
  /// @param out  ranges of gain above 0 are appended
  void find(std::uint32_t attribute, const LevelGains& sums, std::vector<LevelRange>& out) const;

 private:
  void find_labels(std::uint32_t attribute, const LevelGains& sums,
                   std::vector<LevelRange>& out) const;
  void find_bounds(std::uint32_t attribute, const LevelGains& sums,
                   std::vector<LevelRange>& out) const;

  const RowSample& sample_;
  const BoundGrammar& grammar_;
  std::vector<std::vector<std::uint32_t>> grid_;  // [attribute] see grid_of()
};

}  // namespace atl
