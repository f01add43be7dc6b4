#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

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

/// The cells of an attribute in some rows, missing_code where there is no value. Where the rows are
/// few, no others are looked at.
/// @param rows  [n] of the dataset, ascending; a row may be there several times
/// @return [n]
/// @throws InternalError for a row that is not here: neither its partition nor it by itself
std::vector<std::uint32_t> codes_of(const Dataset& dataset, std::uint32_t attribute,
                                    std::span<const std::uint64_t> rows);

}  // namespace atl
