#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "src/data/dataset.hpp"

namespace atl {

/// Some rows as a table of their own, as if no others were known: its dictionaries have the values
/// of these rows alone (ordinal attributes keep all labels), and bins are theirs. The fingerprint
/// is that of the whole.
/// @param exact  not binned
/// @param keep   [rows] not zero: is in the subset, in which rows keep their order
/// @param max_bins  of an attribute of numbers; 0: every value
Dataset row_subset(const Dataset& exact, std::span<const std::uint8_t> keep,
                   const std::function<std::uint32_t(const Attribute&)>& max_bins);

}  // namespace atl
