// Stands in for the thesis' pipeline in builds without CUDA.
#include "cuda/host/reasons.hpp"
#include "cuda/uncertain/thesis_pipeline.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

std::optional<std::string> fft_missing() {
  return not_built;
}

std::unique_ptr<ThesisPipeline> make_thesis_pipeline(const TransactionSet&,
                                                     std::span<const std::uint32_t>, ThreadPool&,
                                                     const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

}  // namespace atl::cuda
