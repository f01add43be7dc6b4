// More than two sets by BatMaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/exhaustive/pairs/batmap.hpp"

namespace atl {

/// Sets that are met with a first one, at most.
inline constexpr std::size_t most_met_sets = 255;

/// Elements that a set has in common with all of some others. What two maps have in common is no
/// map, so each other map adds one to the entries of the first that it has in common with it; an
/// element of all is then one whose two entries sum to the number of the others (Amossen and Pagh
/// 2011, section V, the second of two ways).
/// @param elements  of the first set, ascending, none twice
/// @param first     its map
/// @param others    at most most_met_sets
std::uint64_t count_common_of_all(const BatMapLayout& layout,
                                  std::span<const std::uint32_t> elements, const BatMapView& first,
                                  std::span<const BatMapView> others);

}  // namespace atl
