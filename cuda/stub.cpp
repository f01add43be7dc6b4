// Stands in for the CUDA backend in builds without it.
#include "cuda/evaluator.hpp"

namespace atl::cuda {

std::unique_ptr<Evaluator> make_evaluator(const Dataset&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", "this atoll was built without it");
}
void time_batches(Evaluator&, bool) {}
std::optional<DeviceSeconds> last_device_seconds(const Evaluator&) {
  return std::nullopt;
}

}  // namespace atl::cuda
