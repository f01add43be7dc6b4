// What a benchmark found for one size or data set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cuda/device/visible_devices.hpp"
#include "src/bench/evaluation_times.hpp"
#include "src/bench/pipelines.hpp"
#include "src/bench/published.hpp"
#include "src/bench/roofline.hpp"
#include "src/bench/workload.hpp"

namespace atl {

/// What was published for the same.
struct Published {
  std::string source;
  std::string unit;  ///< "gpops_per_s" or "seconds"
  PublishedFigures figures;
};

/// One after the other, and overlapped.
struct ConcurrencyTimes {
  Timing serial, concurrent;
  std::optional<StageTimes> stages;  ///< of the serial runs, where the pipeline has stages
};

struct BenchRecord {
  std::string bench;
  std::string dataset;  ///< empty: as docs/reference/bench.md says how they are drawn
  std::string backend;
  unsigned threads = 0;
  std::uint64_t rows = 0;
  std::uint32_t attributes = 0;
  std::uint32_t rules = 0;
  std::uint64_t symbols = 0;         ///< of each rule
  std::optional<Workload> drawn;     ///< none: a data set
  std::optional<Pipeline> pipeline;  ///< only of CUDA
  std::optional<EvaluationTimes> times;
  std::optional<Timing> fitness;  ///< of the staged pipeline, from tables on the host to values
  std::optional<ConcurrencyTimes> concurrency;    ///< neither: no data
  std::optional<StageTimes> published_pipeline;   ///< on the same device
  std::optional<CoreRates> core;                  ///< only of the CPU
  std::optional<cuda::VisibleDevice> device;      ///< only of CUDA
  std::optional<cuda::DeviceRates> device_rates;  ///< likewise
  double bound = 0;                               ///< of all threads, if core is there
  std::optional<DeviceBound> device_bound;        ///< of the fused pipeline
  std::optional<Published> published;
};

/// Symbols of all rules times rows.
double operations_of(const BenchRecord& record) noexcept;

/// Name and number of processors of this machine, and the device of a record that has one.
std::string machine_description(const BenchRecord& record);

}  // namespace atl
