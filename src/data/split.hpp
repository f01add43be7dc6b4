#pragma once

#include <cstdint>
#include <functional>

#include "src/data/dataset.hpp"

namespace atl {

struct SplitDataset {
  Dataset rest, drawn;
};

/// Moves the rows that `draws` chooses by their index in the whole dataset to a dataset of their
/// own. Both parts keep the order of rows, the attributes, their codes and the fingerprint of the
/// whole; missing values and rows of each code are counted anew in each. Rows of a part are
/// numbered from 0. The planes of the whole are freed as they are read, so that little more than
/// one copy of the data is ever held.
SplitDataset split(Dataset&& whole, const std::function<bool(std::uint64_t row)>& draws);

}  // namespace atl
