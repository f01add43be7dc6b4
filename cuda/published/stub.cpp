// Stands in for the published pipeline in builds without CUDA.
#include "cuda/host/reasons.hpp"
#include "cuda/published/published_pipeline.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

std::unique_ptr<PublishedPipeline> make_published_pipeline(const Dataset&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

}  // namespace atl::cuda
