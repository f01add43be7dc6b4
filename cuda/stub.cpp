// Stands in for the CUDA backend in builds without it.
#include "cuda/device_rates.hpp"
#include "cuda/evaluator.hpp"
#include "cuda/fitness.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

std::unique_ptr<Evaluator> make_evaluator(const Dataset&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", "this atoll was built without it");
}
void time_batches(Evaluator&, bool) {}
std::optional<double> last_device_seconds(const Evaluator&) {
  return std::nullopt;
}
DeviceRates measure_device_rates() {
  throw BackendUnavailable("cuda", "this atoll was built without it");
}

std::vector<double> fitness(std::span<const Measure>, std::span<const ContingencyTable>) {
  throw BackendUnavailable("cuda", "this atoll was built without it");
}

}  // namespace atl::cuda
