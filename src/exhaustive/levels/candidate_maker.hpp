// Joins sets of a level to candidates of the next (Agrawal and Srikant 1994, section 2.1.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/exhaustive/levels/candidates.hpp"
#include "src/exhaustive/levels/itemset_levels.hpp"

namespace atl {

/// Makes candidates from the sets of the last level, in their order. A candidate joins two sets
/// that differ in their last item. It is left out if one of its subsets of one item less is not
/// frequent.
class CandidateMaker {
 public:
  /// @param levels  of at least two; must outlive it
  explicit CandidateMaker(std::span<const ItemsetLevel> levels);

  /// Overwrites `out` with the candidates that begin with the sets from first to last - 1.
  void make(std::uint32_t first, std::uint32_t last, Candidates& out);

 private:
  void find_path(std::uint32_t set);
  void move_path(std::uint32_t set);
  void find_subsets();
  std::uint32_t child(std::size_t level, std::uint32_t set, std::uint32_t rank) const;
  bool join(std::uint32_t set, std::uint32_t first_sibling);

  std::span<const ItemsetLevel> levels_;
  std::size_t length_;               // of the sets
  std::vector<std::uint32_t> path_;  // [length] the set's number in each level, of its first items
  std::size_t known_ = 0;            // levels of the path whose subsets are there
  /// [length][length] by level and place: the path to the level without the item at the place.
  std::vector<std::vector<std::uint32_t>> subsets_;
  std::vector<std::uint32_t> ranks_;  // with which the set is joined
};

}  // namespace atl
