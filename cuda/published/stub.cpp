// Stands in for the published pipelines in builds without CUDA.
#include "cuda/host/reasons.hpp"
#include "cuda/published/level_pipeline.hpp"
#include "cuda/published/pittsburgh_pipeline.hpp"
#include "cuda/published/published_pipeline.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

std::unique_ptr<PublishedPipeline> make_published_pipeline(const Dataset&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

std::unique_ptr<PittsburghPipeline> make_pittsburgh_pipeline(const Dataset&, std::uint32_t,
                                                             const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

std::unique_ptr<LevelPipeline> make_level_pipeline(const AprioriTables&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

}  // namespace atl::cuda
