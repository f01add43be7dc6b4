// Stands in for the published pipeline in builds without CUDA.
#include "cuda/published/published_pipeline.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

std::unique_ptr<PublishedPipeline> make_published_pipeline(const Dataset&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", "this atoll was built without it");
}

}  // namespace atl::cuda
