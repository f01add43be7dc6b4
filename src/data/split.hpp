#pragma once

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/data/row_mask.hpp"

namespace atl {

struct SplitDataset {
  Dataset rest, drawn;
};

/// Moves the rows that are drawn to a dataset of their own. Both parts keep the order of rows, the
/// attributes, their codes and the fingerprint of the whole; missing values and rows of each code
/// are counted anew in each. Rows of a part are numbered from 0. The planes of the whole are freed
/// as they are read, so that little more than one copy of the data is ever held.
/// @param whole  with the counts of all its rows, which are all held
/// @param drawn  [rows]
/// @throws std::invalid_argument if an attribute has no counts
SplitDataset split(Dataset&& whole, const RowMask& drawn, ThreadPool& pool);

}  // namespace atl
