// How fast decision lists are scored, beside Cano, Zafra and Ventura 2014.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cuda/published/pittsburgh_pipeline.hpp"
#include "src/bench/benchmark.hpp"
#include "src/bench/pittsburgh_figures.hpp"
#include "src/bench/rule_set_workload.hpp"
#include "src/bench/stopwatch.hpp"
#include "src/bench/table.hpp"

namespace atl {

/// The published pipeline on the same device.
struct PittsburghPublished {
  Timing wall;  ///< from lists on the host to fitness there
  cuda::PittsburghSeconds stages;
};

/// A population on a data set. Times go from lists on the host to counts there, rows in place.
struct PittsburghTimes {
  const PittsburghData* data = nullptr;
  std::uint64_t rows = 0;
  std::uint32_t attributes = 0;  ///< without the class
  std::uint32_t classes = 0;     ///< as many rules has each list
  std::uint32_t population = 0;
  RuleSetShape shape = RuleSetShape::conjunctions;
  std::uint64_t symbols = 0;  ///< of all lists
  std::string backend;
  unsigned threads = 0;
  std::optional<cuda::VisibleDevice> device;  ///< only of CUDA

  std::optional<Timing> fused;           ///< none: no data
  std::optional<double> device_seconds;  ///< of the fused path, by the device's clock
  std::optional<Timing> staged;
  std::optional<RuleSetStageSeconds> stages;
  std::optional<Timing> one_core;     ///< the CPU's scorer on one thread, where a GPU is measured
  std::optional<Timing> two_devices;  ///< the population split over two GPUs
  std::optional<PittsburghPublished> published;
  std::optional<double> watts;  ///< that the GPU takes meanwhile, by its own reading
  std::optional<double> published_watts;
  const PittsburghSize* paper = nullptr;  ///< null: none for this population

  double operations() const noexcept {
    return static_cast<double>(symbols) * static_cast<double>(rows);
  }
};

/// A line of Table 1, only of CUDA: the published coverage kernel in blocks of so many threads.
struct PittsburghBlocks {
  cuda::PittsburghOccupancy occupancy;
  double coverage_seconds = 0;
};

/// All data sets and populations of Tables 3 and 4: poker hands are generated, others read if they
/// are there. Lists with OR and NOT where the population is 100.
/// @throws UsageError on the reference device, which would take hours
void run_pittsburgh(const BenchState& state);

Record record_of(const PittsburghTimes& times);
Record record_of(const PittsburghBlocks& blocks);
/// The lines of Tables 3 and 4: ours, the published pipeline's on the same device, the paper's.
/// Then Tables 1 and 5, Figures 5 and 6.
std::vector<Table> pittsburgh_tables();

}  // namespace atl
