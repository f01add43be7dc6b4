#pragma once

#include <cstdint>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"

namespace atl {

/// Most folds that rows can be dealt to.
inline constexpr std::uint32_t most_folds = 255;

/// Distinct rows for each fold, without the class, below which equal rows do not stay together.
inline constexpr std::uint32_t least_groups_of_fold = 10;

/// Deals rows to folds so that each has about the same number of rows of every class. Rows that are
/// equal in all attributes but the class come to the same fold: a list learnt from one would know
/// the other, or, if the classes differ, be tested on what contradicts it. Rows without a class are
/// dealt likewise, as a class of their own. Of fewer distinct rows than least_groups_of_fold for
/// each fold each row is dealt by itself.
/// @param folds  1 to most_folds
/// @param pool  whose threads share the work; null: this one does it
/// @return [rows] below `folds`
std::vector<std::uint8_t> class_folds(const Dataset& dataset, std::uint32_t class_attribute,
                                      std::uint32_t folds, std::uint64_t seed,
                                      ThreadPool* pool = nullptr);

}  // namespace atl
