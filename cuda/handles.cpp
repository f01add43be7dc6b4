#include "cuda/handles.hpp"

#include "src/core/error.hpp"

namespace atl::cuda {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  throw BackendUnavailable("cuda", cudaGetErrorString(error));
}

}  // namespace atl::cuda
