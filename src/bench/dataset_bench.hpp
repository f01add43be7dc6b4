// Measures rules on one dataset.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "cuda/device/device.hpp"
#include "src/bench/record.hpp"
#include "src/bench/workload.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

/// What is measured on.
struct BenchBackend {
  std::unique_ptr<Backend> backend;
  std::optional<cuda::VisibleDevice> device;
  cuda::DeviceOptions options;  ///< of the device
};

struct BenchMachine {
  Machine options;                   ///< of which backend, threads, not 0, and device memory matter
  std::optional<Pipeline> pipeline;  ///< none: the fused one and the published one beside it
  /// @throws BackendUnavailable
  std::function<BenchBackend(const BenchMachine& machine, std::uint64_t rows)> choose_backend;
};

/// Rates of this machine, measured when first asked for.
class MachineRates {
 public:
  const CoreRates& core();
  const cuda::DeviceRates& device();  ///< the current one

 private:
  std::optional<CoreRates> core_;
  std::optional<cuda::DeviceRates> device_;
};

class DatasetBench {
 public:
  /// Arguments must outlive it. @throws BackendUnavailable
  DatasetBench(const BenchMachine& machine, MachineRates& rates, const Dataset& dataset);

  /// @param workload  of which rules, comparisons, shape and shared matter
  BenchRecord measure(const Workload& workload);
  /// A record for each pipeline.
  std::vector<BenchRecord> measure_concurrency(const Workload& workload);

 private:
  BenchRecord begin_record(const Workload& workload) const;
  /// @throws InternalError if it counts otherwise than the device does
  StageTimes time_published(std::span<const Rule> rules, bool concurrent);
  Timing time_fitness(std::span<const Rule> rules);

  const BenchMachine& machine_;
  MachineRates& rates_;
  const Dataset& dataset_;
  BenchBackend backend_;
  std::shared_ptr<Resident> on_gpu_;  // how many threads depends on it
  ThreadPool pool_;
  std::shared_ptr<Resident> resident_;
  bool evaluates_ = true;                               // and not the published pipeline alone
  std::unique_ptr<cuda::PublishedPipeline> published_;  // if it is measured
};

}  // namespace atl
