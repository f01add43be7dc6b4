// Stands in for the CUDA backend in builds without it.
#include "cuda/count/evaluator.hpp"
#include "cuda/count/fitness.hpp"
#include "cuda/device/device_rates.hpp"
#include "cuda/device/devices.hpp"
#include "cuda/host/reasons.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

std::vector<Device> visible_devices() {
  throw BackendUnavailable("cuda", not_built);
}
void open_device(const Device&) {
  throw BackendUnavailable("cuda", not_built);
}
std::uint64_t free_memory() {
  throw BackendUnavailable("cuda", not_built);
}

std::unique_ptr<Evaluator> make_evaluator(const Dataset&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}
void time_batches(Evaluator&, bool) {}
std::optional<DeviceSeconds> last_device_seconds(const Evaluator&) {
  return std::nullopt;
}
DeviceRates measure_device_rates() {
  throw BackendUnavailable("cuda", not_built);
}

std::vector<double> fitness(std::span<const Measure>, std::span<const ContingencyTable>) {
  throw BackendUnavailable("cuda", not_built);
}

}  // namespace atl::cuda
