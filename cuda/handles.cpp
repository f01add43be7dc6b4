#include "cuda/handles.hpp"

#include "cuda/device_layout.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  throw BackendUnavailable("cuda", cudaGetErrorString(error));
}

DeviceLimits device_limits() {
  int device = 0;
  int processors = 0;
  int shared = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return {static_cast<std::uint32_t>(processors), static_cast<std::uint32_t>(shared)};
}

}  // namespace atl::cuda
