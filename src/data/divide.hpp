#pragma once

#include "src/data/dataset.hpp"

namespace atl {

/// Leaves the dataset whole, and makes an equal part of its rows the shard() of one of several
/// members: neighbouring granules (partition_granule), or partitions where there are many. Of few
/// granules some members have none.
/// @pre 0 <= member < members
void divide(Dataset& whole, int member, int members);

}  // namespace atl
