// Figures of records of rules that were counted.
#pragma once

#include <optional>

#include "src/bench/evaluation_times.hpp"
#include "src/bench/published.hpp"
#include "src/bench/record.hpp"
#include "src/bench/roofline.hpp"

namespace atl {

/// One after the other, and overlapped.
struct ConcurrencyTimes {
  Timing serial, concurrent;
  std::optional<StageTimes> stages;  ///< of the serial runs, where the pipeline has stages
};

/// Symbols of all rules times rows.
/// @param record  here and below with its symbols, rules and rows
double operations_of(const Record& record);

void add_evaluation(Record& record, const EvaluationTimes& times);
/// @param bound  of all threads
void add_core(Record& record, const CoreRates& core, double bound);
/// @param record  with the times of a device
void add_device_bound(Record& record, const DeviceBound& bound);
/// Adds its ratios, too, if the record is of the fused pipeline.
void add_published_pipeline(Record& record, const StageTimes& stages);
/// Adds those of Table 6, too.
void add_concurrency(Record& record, const ConcurrencyTimes& times);
/// @param unit  "gpops_per_s" or "seconds"
void add_published(Record& record, const char* source, const std::string& unit,
                   const PublishedFigures& figures);

/// The rates that a core or a device was measured to have.
Record rates_of(const CoreRates& core);
Record rates_of(const cuda::VisibleDevice& device, const cuda::DeviceRates& rates);

}  // namespace atl
