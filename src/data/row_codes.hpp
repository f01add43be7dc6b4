#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/dataset.hpp"

namespace atl {

/// The cells of an attribute in some rows, missing_code where there is no value. Where the rows are
/// few, no others are looked at.
/// @param rows  [n] of the dataset, ascending; a row may be there several times
/// @return [n]
/// @throws InternalError for a row that is not here: neither its partition nor it by itself
std::vector<std::uint32_t> codes_of(const Dataset& dataset, std::uint32_t attribute,
                                    std::span<const std::uint64_t> rows);

}  // namespace atl
