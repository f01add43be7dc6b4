#pragma once

#include <cstdint>

namespace atl {

/// Which rank works on which island: island i lives on rank floor(i x ranks / islands), so that
/// each rank has a run of neighbouring islands, none more than one longer than another's.
/// @pre ranks <= islands
struct Placement {
  std::uint32_t islands = 1;
  int ranks = 1;

  int rank_of(std::uint32_t island) const noexcept {
    return static_cast<int>(std::uint64_t{island} * static_cast<std::uint64_t>(ranks) / islands);
  }
  /// A rank's islands go from its first up to the next rank's first.
  std::uint32_t first_island(int rank) const noexcept {
    const auto all = static_cast<std::uint64_t>(ranks);
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(rank) * islands + all - 1) / all);
  }
};

}  // namespace atl
