#include "cuda/count/group_size.hpp"

#include <algorithm>
#include <cmath>

#include "cuda/count/count_kernel.hpp"

namespace atl::cuda {

namespace {

/// Share of a rule's time that the planes of a group take.
constexpr double planes_cost = 0.7;
/// Shares of a full processor's time that it needs for one warp, and for each of all its warps.
constexpr double first_warp_cost = 0.35;
constexpr double warp_cost = (1 - first_warp_cost) / most_warps;

/// Time of that many groups on one processor, in that of as many as it has warps.
double rounds(double groups) noexcept {
  const double full = std::floor(groups / most_warps);
  const double rest = groups - full * most_warps;
  return full + (rest == 0 ? 0 : first_warp_cost + warp_cost * std::ceil(rest));
}

}  // namespace

std::uint32_t group_terms(const DeviceLimits& limits, std::uint64_t rows, std::size_t rules,
                          bool wide) noexcept {
  const auto tiles =
      static_cast<double>((std::max<std::uint64_t>(rows, 1) + tile_rows - 1) / tile_rows);
  std::uint32_t most = std::max(limits.shared_bytes / most_warps / tile_bytes / 2, 1U);
  // Every comparison of an attribute in several passes needs a slot for a while.
  if (wide) most = std::max(most * 3 / 4, 1U);
  std::uint32_t best = 1;
  double best_cost = 0;
  for (std::uint32_t group_rules = 1; group_rules <= most; ++group_rules) {
    const double groups = std::ceil(static_cast<double>(rules) / group_rules);
    const double cost = rounds(groups * tiles / limits.processors) * (group_rules + planes_cost);
    if (group_rules == 1 || cost < best_cost) {
      best = group_rules;
      best_cost = cost;
    }
  }
  return best * 2;
}

}  // namespace atl::cuda
