// Assigns a GPU to each rank, and finds out whether the members of a team can add up on theirs.
// Host code; needs no CUDA.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/core/communicator.hpp"

namespace atl::cuda {

/// The facts that a member tells the others.
struct ReducingMember {
  std::string problem;  ///< why it cannot; empty: it can
  std::string uuid;     ///< of its GPU (VisibleDevice), the same for no two GPUs
  bool shares = false;  ///< it agrees to have its GPU with other members
};

/// The reason why the team cannot, alike for all; empty if it can. NCCL refuses members with the
/// same GPU, unless they have agreed to it, as only tests do.
/// @param members  by rank in the team
std::string team_problem(std::span<const ReducingMember> members);
/// The same reason, from what all members say. Collective.
std::string team_problem(const ReducingMember& mine, Communicator& members);

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
