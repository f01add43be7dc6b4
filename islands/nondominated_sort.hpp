// Non-dominated sorting and crowding distance (Deb, Pratap, Agarwal, Meyarivan 2002, NSGA-II).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace atl {

/// Values to be maximised, none of them NaN; infinities may occur.
struct Objectives {
  std::size_t count = 0;       ///< objectives of a point
  std::vector<double> values;  ///< [points][count]

  std::size_t points() const noexcept { return count == 0 ? 0 : values.size() / count; }
  std::span<const double> operator[](std::size_t point) const noexcept {
    return std::span(values).subspan(point * count, count);
  }
};

/// Sorts points into fronts: a point is in the first front that holds none that dominates it, that
/// is, none at least as great in every objective and greater in one. Buffers are kept between
/// calls.
class NondominatedSort {
 public:
  /// @return fronts, best first; points of a front ascending
  std::span<const std::vector<std::uint32_t>> operator()(const Objectives& objectives);

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<std::uint32_t>> fronts_;
};

/// Half the perimeter, in units of the front's extent, of the box that a point's neighbours span:
/// per objective the gap between the next lower and the next higher value, summed in the order of
/// the objectives. Points at an end have infinity. Equal values are taken in the front's order. An
/// objective whose values are all equal adds nothing; a gap that ends in an infinite value counts
/// as the whole extent.
/// @param front     points
/// @param distance  [points of objectives] only those of the front are written
void crowding_distance(const Objectives& objectives, std::span<const std::uint32_t> front,
                       std::span<double> distance);

}  // namespace atl
