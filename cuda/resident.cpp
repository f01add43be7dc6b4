#include "cuda/device/resident.hpp"

#include <bit>

#include "cuda/count/count_kernel.hpp"
#include "cuda/count/count_queue.hpp"
#include "cuda/count/staged_kernels.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/handles.hpp"

namespace atl::cuda {

CudaDevice::CudaDevice(const DeviceOptions& options)
    : options_(options), limits_(device_limits()), residency_(options.memory) {
  allow_counts(limits_);
  allow_coverage(limits_);
}

std::shared_ptr<Resident> CudaDevice::load(const Dataset& dataset) {
  check(cudaSetDevice(options_.device));
  return std::make_shared<CudaResident>(std::static_pointer_cast<CudaDevice>(shared_from_this()),
                                        dataset);
}

CudaResident::CudaResident(const std::shared_ptr<CudaDevice>& device, const Dataset& dataset)
    : Resident(device, dataset),
      gpu_(*device),
      data_(dataset.shard(), device->residency()),
      queue_(std::make_unique<CountQueue>(gpu_.options(), gpu_.limits(), data_, gpu_.busy())) {}

CudaResident::~CudaResident() = default;

const TargetPlanes& CudaResident::target(std::uint32_t attribute) {
  const std::scoped_lock lock(mutex_);
  const auto found = targets_.find(attribute);
  if (found != targets_.end()) return found->second;
  return targets_.try_emplace(attribute, dataset().shard(), attribute, target_slice_words)
      .first->second;
}

std::uint64_t CudaResident::present(std::span<const std::uint32_t> set) {
  const Dataset& rows = dataset().shard();
  if (set.empty()) return rows.rows();
  const std::scoped_lock lock(mutex_);
  const auto [entry, added] = present_.try_emplace({set.begin(), set.end()}, 0);
  if (!added) return entry->second;
  for (std::size_t p = 0; p < rows.partitions(); ++p) {
    for (std::size_t w = 0; w < rows.words(p); ++w) {
      std::uint64_t word = ~std::uint64_t{0};
      for (const std::uint32_t a : set) word &= rows.present(p, a)[w];
      entry->second += static_cast<std::uint64_t>(std::popcount(word));
    }
  }
  return entry->second;
}

std::shared_ptr<Device> make_device(const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_shared<CudaDevice>(options);
}

}  // namespace atl::cuda
