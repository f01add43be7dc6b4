#include "cuda/host/assignment.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace atl::cuda {

std::vector<Assignment> assign_devices(std::span<const std::vector<std::string>> uuids) {
  std::vector<std::size_t> order(uuids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return uuids[a].size() < uuids[b].size(); });
  std::map<std::string, int> taken;
  std::vector<Assignment> assignments(uuids.size());
  for (const std::size_t rank : order) {
    const auto& seen = uuids[rank];
    const auto fewest = std::min_element(
        seen.begin(), seen.end(),
        [&](const std::string& a, const std::string& b) { return taken[a] < taken[b]; });
    if (fewest == seen.end()) continue;
    ++taken[*fewest];
    assignments[rank].device = static_cast<int>(fewest - seen.begin());
  }
  for (std::size_t rank = 0; rank < uuids.size(); ++rank) {
    const int device = assignments[rank].device;
    if (device >= 0)
      assignments[rank].sharing = taken[uuids[rank][static_cast<std::size_t>(device)]];
  }
  return assignments;
}

}  // namespace atl::cuda
