// Adding up the numbers of a team on its GPUs.
#pragma once

#include <memory>
#include <string>

#include "cuda/device/visible_devices.hpp"
#include "src/core/communicator.hpp"
#include "src/core/reducer.hpp"

namespace atl::cuda {

struct TeamReducer {
  std::unique_ptr<Reducer> reducer;  ///< null: this team cannot have it
  std::string reason;                ///< why not, alike on all members
  bool chosen = false;  ///< to be taken however slow, alike on all members: one has ATOLL_NCCL set,
                        ///< or shares its GPU to test it (ATOLL_NCCL_SHARE_GPU=1)
};

/// Makes a reducer that adds up by NCCL, if every member has its library and a GPU of its own, and
/// the GPUs reach each other. Blocking, a minute at most once all members have begun. Collective in
/// the team, in which all or none have a reducer.
/// @param members  of the team, must outlive the reducer
/// @param device   of this member, which it has opened; null: it counts on the CPU
TeamReducer make_nccl_reducer(Communicator& members, const VisibleDevice* device);

}  // namespace atl::cuda
