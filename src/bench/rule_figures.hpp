// Figures of records of rules that were counted, beside the most that a machine allows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cuda/device/device_rates.hpp"
#include "src/bench/evaluation_times.hpp"
#include "src/bench/published.hpp"
#include "src/bench/table.hpp"
#include "src/data/attribute.hpp"
#include "src/eval/core_rates.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// Symbols of all rules times rows a second that a core reaches at most by comparing bit planes,
/// raw. For a word of 64 rows that takes at least, at the core's rates,
///   logic: a step for each planes_per_step planes, for `code > bound` from those after the ones
///     with the bound's lowest zero bit on, for an equality from the second on; one to join the
///     comparison to its side; one for both sides;
///   three popcounts a rule; a load a comparison, of the words that it is joined to;
/// whichever of the three takes longest.
double core_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                  const CoreRates& rates);

/// Likewise of a device, on so many rows; docs/reference/bench.md has the sum.
struct DeviceBound {
  double raw = 0;
  double with_supports = 0;
  double effective = 0;
  std::string limit;  ///< of the raw one: logic, popcounts, shared memory or memory
  /// The rate that logic alone would allow, raw, if an operation took one plane and a connective
  /// another.
  double plane_an_operation = 0;
};

/// The bound of a device. For a word of 32 rows comparisons take at least
///   logic: as a core's, with two planes a step, as a three-input operation takes the result so far
///     and two more planes; effective: an operation for each further use of a comparison;
///   three popcounts a rule, with supports one a comparison more;
///   shared memory: for each use of a comparison the word of its side is read and written;
/// and for the whole batch the planes of its attributes read once, from the second-level cache if
/// they fit there; whichever of the four takes longest.
DeviceBound device_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                         std::uint64_t rows, const cuda::DeviceRates& rates);

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
