// Stands in for NCCL in builds without CUDA or NCCL's header.
#include "cuda/reduce/reducer.hpp"

namespace atl::cuda {

TeamReducer make_nccl_reducer(Communicator&, const VisibleDevice*) {
  return {nullptr, "this atoll was built without NCCL", false};
}

}  // namespace atl::cuda
