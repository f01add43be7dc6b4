#pragma once

#include <cstdint>
#include <vector>

#include "src/data/dataset.hpp"

namespace atl {

/// Most folds that rows can be dealt to.
inline constexpr std::uint32_t most_folds = 255;

/// Deals rows to folds so that each has about the same number of rows of every class. Rows that are
/// equal in all attributes come to the same fold: a list learnt from one would know the other. Rows
/// without a class are dealt likewise, as a class of their own.
/// @param folds  1 to most_folds
/// @return [rows] below `folds`
std::vector<std::uint8_t> class_folds(const Dataset& dataset, std::uint32_t class_attribute,
                                      std::uint32_t folds, std::uint64_t seed);

}  // namespace atl
