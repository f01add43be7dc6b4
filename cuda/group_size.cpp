#include "cuda/group_size.hpp"

#include <algorithm>

#include "cuda/count_kernel.hpp"

namespace atl::cuda {

std::uint32_t group_terms(const DeviceLimits& limits, std::uint64_t rows, std::size_t rules,
                          bool wide) noexcept {
  const std::uint64_t tiles = std::max<std::uint64_t>((rows + tile_rows - 1) / tile_rows, 1);
  const std::uint64_t warps = std::uint64_t{limits.processors} * most_warps;
  const std::uint64_t rules_each = std::max<std::uint64_t>(rules * tiles / warps, 1);
  // Of attributes in several passes, every comparison needs a slot for a while.
  const std::uint64_t most = limits.shared_bytes / most_warps / tile_bytes * (wide ? 2U : 3U) / 3;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(rules_each * 2, 1, std::max<std::uint64_t>(most, 1)));
}

}  // namespace atl::cuda
