// A table on a GPU, and what the services on it share.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cuda/device/busy_time.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/device_data.hpp"
#include "cuda/device/device_layout.hpp"
#include "cuda/host/residency.hpp"
#include "src/eval/device.hpp"
#include "src/eval/target_values.hpp"

namespace atl::cuda {

class CountQueue;
class FitSample;
class GrowthSample;
class ListTable;

class CudaDevice final : public Device {
 public:
  /// A device on the current GPU, which has the options' number.
  explicit CudaDevice(const DeviceOptions& options);

  std::shared_ptr<Resident> load(const Dataset& dataset) override;
  std::string name() const override { return "cuda"; }
  std::optional<BusySeconds> busy_seconds() override { return busy_.seconds(); }

  const DeviceOptions& options() const noexcept { return options_; }
  const DeviceLimits& limits() const noexcept { return limits_; }
  BusyTime& busy() noexcept { return busy_; }
  Residency& residency() noexcept { return residency_; }

 private:
  const DeviceOptions options_;
  const DeviceLimits limits_;
  BusyTime busy_;
  Residency residency_;
};

class CudaResident final : public Resident {
 public:
  CudaResident(const std::shared_ptr<CudaDevice>& device, const Dataset& dataset);
  ~CudaResident() override;

  std::unique_ptr<RuleCounter> rule_counter() override;
  /// The CPU's if the device has no room for the sample.
  std::unique_ptr<IntervalFitter> interval_fitter(const IntervalRows& rows) override;
  /// The CPU's if the device has no room for the rows once more, in the order of their classes.
  std::unique_ptr<RuleSetScorer> rule_set_scorer(const ClassifiedRows& rows) override;
  /// The CPU's if the device has no room for the sample, or there are too many classes.
  std::unique_ptr<RuleGrower> rule_grower(std::shared_ptr<const ClassSample> sample,
                                          const GrowthSettings& settings) override;

  CudaDevice& gpu() noexcept { return gpu_; }
  DeviceData& data() noexcept { return data_; }
  CountQueue& queue() noexcept { return *queue_; }
  /// The planes of a target, made when first asked for. Any thread.
  const TargetPlanes& target(std::uint32_t attribute);
  /// Rows on which all attributes of a set have a value; counted when first asked for. Any thread.
  std::uint64_t present(std::span<const std::uint32_t> set);

 private:
  /// Bytes that a copy of rows, such as a sample, may take beside the tables.
  std::uint64_t room_for_copies();

  CudaDevice& gpu_;
  DeviceData data_;
  const std::unique_ptr<CountQueue> queue_;
  std::mutex mutex_;  // of both maps
  std::map<std::uint32_t, TargetPlanes> targets_;
  std::map<std::vector<std::uint32_t>, std::uint64_t> present_;
  std::mutex fit_mutex_;  // of the samples; null if there is no room for one
  std::map<IntervalRows, std::shared_ptr<const FitSample>> fit_samples_;
  std::mutex list_mutex_;  // of the tables; null if there is no room for one
  std::map<ClassifiedRows, std::shared_ptr<const ListTable>> list_tables_;
  std::mutex growth_mutex_;  // of the samples; null if there is no room for one
  std::map<std::shared_ptr<const ClassSample>, std::shared_ptr<const GrowthSample>> growth_samples_;
};

}  // namespace atl::cuda
