#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "src/data/dataset.hpp"

namespace atl {

struct Duplicates {
  std::uint64_t rows = 0;  ///< equal to an earlier row in every attribute
  /// Attributes with the same values in every row: each with the first that it repeats.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> columns;
};

/// Compares rows by 128-bit hashes, in as many passes as keep the hashes within the limit.
/// @param exact  not binned
/// @param hash_bytes  memory for hashes, at least 1 MiB
Duplicates find_duplicates(const Dataset& exact,
                           std::uint64_t hash_bytes = std::uint64_t{512} << 20);

}  // namespace atl
