// Measures rules on one dataset.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cuda/device/device.hpp"
#include "src/bench/rule_figures.hpp"
#include "src/bench/workload.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

/// The machine's choice of what counts, made for one dataset.
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

/// So many rows that the choice of a backend does not look at them.
inline constexpr std::uint64_t rows_for_any_gpu = std::uint64_t{1} << 30;

/// So many as are asked for, or as this process may run on.
unsigned threads_of(const BenchMachine& machine);

/// Before a benchmark reads data, which may take long.
/// @throws BackendUnavailable
void expect_available(const BenchMachine& machine);

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
  /// Arguments must outlive it.
  /// @param name  of the data set; empty if the dataset is that of the workloads
  /// @throws BackendUnavailable
  DatasetBench(std::string bench, std::string name, const BenchMachine& machine,
               MachineRates& rates, const Dataset& dataset);

  /// @param workload  of which rules, comparisons, shape and shared matter
  Record measure(const Workload& workload);
  /// A record for each pipeline.
  std::vector<Record> measure_concurrency(const Workload& workload);

 private:
  bool on_gpu() const { return resident_->device().name() == "cuda"; }
  Record begin_record(const Workload& workload, Pipeline pipeline) const;
  void add_device_figures(Record& record, std::span<const Rule> rules, Pipeline pipeline);
  /// @throws InternalError if it counts otherwise than the device does
  StageTimes time_published(std::span<const Rule> rules, bool concurrent);
  Timing time_fitness(std::span<const Rule> rules);

  const std::string bench_, name_;
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
