#pragma once

#include <cstdint>

#include "src/data/dataset.hpp"

namespace atl {

/// One of several equal parts of the rows of a dataset. @pre 0 <= number < of
struct RowShare {
  int number = 0;
  int of = 1;
};

/// The rows [begin, end) of such a part.
struct ShardRows {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t granule = 0;  ///< both are multiples of it, or the end of all rows
};

/// Neighbouring granules (partition_granule), or partitions where there are many. Of few granules
/// some parts have none.
/// @param rows  of the whole, in partitions of partition_rows
ShardRows shard_rows(std::uint64_t rows, std::uint32_t partition_rows, const RowShare& share);

/// Leaves the dataset whole, and makes the part its shard(). Its rows must be here
/// (Dataset::holds).
void divide(Dataset& whole, const RowShare& share);

}  // namespace atl
