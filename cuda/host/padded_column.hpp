// A column as the published pipeline uploads it. Host code.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/host/published_format.hpp"
#include "src/data/dataset.hpp"

namespace atl::cuda {

/// @param out  [padded_rows(rows)] overwritten: an attribute's codes, then missing_code
void write_padded_column(const Dataset& dataset, std::uint32_t attribute,
                         std::vector<std::uint32_t>& out);

}  // namespace atl::cuda
