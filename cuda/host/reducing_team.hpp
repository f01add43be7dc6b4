// Finds out whether the members of a team can add up on their GPUs. Host code; needs no CUDA.
#pragma once

#include <span>
#include <string>

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

}  // namespace atl::cuda
