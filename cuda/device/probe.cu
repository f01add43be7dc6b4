#include "cuda/device/probe.hpp"

namespace atl::cuda {
namespace {

__global__ void nothing() {}

}  // namespace

cudaError_t probe_code() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, nothing);
}

}  // namespace atl::cuda
