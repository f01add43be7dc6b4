// Makes the candidates of the level-wise search from the sets of the last level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/exhaustive/levels/candidates.hpp"

namespace atl {

/// Makes candidates from the sets of the last level, in their order (Agrawal and Srikant 1994,
/// section 2.1.1). A candidate joins two sets that differ in their last item. It is left out if one
/// of its subsets of one item less is not frequent.
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

/// A run of a level's sets.
struct SetRange {
  std::uint32_t first, last;
};

/// Cuts the last level, from a set on, into ranges of about as many joins.
class JoinRanges {
 public:
  static constexpr std::uint64_t usual_joins = std::uint64_t{1} << 17;

  /// @param levels  of at least two; must outlive it
  /// @param joins   of a range, which has one set at least
  JoinRanges(std::span<const ItemsetLevel> levels, std::uint32_t first, std::uint32_t end,
             std::uint64_t joins = usual_joins)
      : first_child_(levels[levels.size() - 2].first_child),
        end_(end),
        next_(first),
        joins_(joins) {}

  bool done() const noexcept { return next_ == end_; }
  std::uint32_t at() const noexcept { return next_; }
  SetRange next();

 private:
  const std::vector<std::uint32_t>& first_child_;
  std::uint32_t end_, next_, parent_ = 0;
  std::uint64_t joins_;
};

}  // namespace atl
