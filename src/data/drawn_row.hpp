#pragma once

#include <cstdint>

#include "src/core/row_hash.hpp"

namespace atl {

/// A row of run i of n rows in `runs` runs of equal length, at a place that looks random. The same
/// for every seed. @pre runs <= n
inline std::uint64_t drawn_row(std::uint64_t i, std::uint64_t runs, std::uint64_t n) noexcept {
  const auto begin = static_cast<std::uint64_t>(static_cast<unsigned __int128>(n) * i / runs);
  const auto end = static_cast<std::uint64_t>(static_cast<unsigned __int128>(n) * (i + 1) / runs);
  return begin + row_hash(i) % (end - begin);
}

}  // namespace atl
