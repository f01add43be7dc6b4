// Stands in for the CUDA backend in builds without it.
#include "cuda/count/fitness.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/device_rates.hpp"
#include "cuda/device/visible_devices.hpp"
#include "cuda/host/reasons.hpp"
#include "cuda/itemsets/apriori_counter.hpp"
#include "cuda/itemsets/itemset_counter.hpp"
#include "cuda/pairs/pair_counter.hpp"
#include "cuda/uncertain/device_support_meter.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

std::vector<VisibleDevice> visible_devices() {
  throw BackendUnavailable("cuda", not_built);
}
void open_device(const VisibleDevice&) {
  throw BackendUnavailable("cuda", not_built);
}
std::uint64_t free_memory() {
  throw BackendUnavailable("cuda", not_built);
}

std::shared_ptr<Device> make_device(const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}
DeviceRates measure_device_rates() {
  throw BackendUnavailable("cuda", not_built);
}

std::unique_ptr<ItemsetCounter> make_itemset_counter(const TransactionSet&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

std::unique_ptr<AprioriCounter> make_apriori_counter(const ItemBitmaps&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

std::unique_ptr<DevicePairCounter> make_pair_counter(PairForm, const PairRows&, std::uint32_t,
                                                     ThreadPool&, const DeviceOptions&, unsigned) {
  throw BackendUnavailable("cuda", not_built);
}

std::unique_ptr<DeviceSupportMeter> make_device_support_meter(const UncertainColumns&,
                                                              const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

std::vector<double> fitness(std::span<const Measure>, std::span<const ContingencyTable>) {
  throw BackendUnavailable("cuda", not_built);
}

}  // namespace atl::cuda
