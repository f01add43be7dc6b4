// Assigns a GPU to each rank.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace atl::cuda {

struct Assignment {
  int device = -1;  ///< position in what the rank sees; -1: it sees none
  int sharing = 0;  ///< ranks that take the same GPU, this one included
};

/// Spreads ranks over GPUs. A rank takes, of those it sees, the one that the fewest ranks have
/// taken, the first of these; ranks that see fewer go before ranks that see more, else in their
/// order. So where the ranks of a host all see its n GPUs, the i-th of them takes GPU i mod n, and
/// where each sees its own, that one.
/// @param uuids  [ranks] UUIDs of the devices that each rank sees, in its order; no two GPUs have
///               the same, on whatever hosts
std::vector<Assignment> assign_devices(std::span<const std::vector<std::string>> uuids);

}  // namespace atl::cuda
