#pragma once

#include <cuda_runtime_api.h>

namespace atl::cuda {

/// Tells whether the current device runs the code of this program: an error of CUDA's if not. All
/// kernels are compiled for the same architectures, so a kernel that does nothing tells it.
cudaError_t probe_code();

}  // namespace atl::cuda
