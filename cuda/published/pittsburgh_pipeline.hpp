// The pipeline of Cano, Zafra and Ventura 2014 (Listings 1 to 4), to measure ours against;
// docs/concepts/published-pipeline.md says what was mended.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/device/device.hpp"
#include "cuda/host/pittsburgh_format.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/rule_set_scorer.hpp"
#include "src/rules/rule_set.hpp"

namespace atl::cuda {

/// Seconds of the parts, by device events.
struct PittsburghSeconds {
  double upload = 0;
  double coverage = 0;
  double rule_fitness = 0;
  double classification = 0;
  double set_fitness = 0;
  double download = 0;

  double kernels() const noexcept { return coverage + rule_fitness + classification + set_fitness; }
};

struct PittsburghResults {
  /// Confusions of all rules, those of the first list first.
  std::vector<RuleConfusion> confusions;
  std::vector<double> rule_fitness;    ///< likewise, sensitivity x specificity
  std::vector<std::uint64_t> correct;  ///< [lists] rows that a list puts into their class
  std::vector<double> accuracy;        ///< [lists]
  PittsburghSeconds seconds;
};

struct PittsburghOptions {
  /// Threads of a block of the coverage and the classification kernel (Table 1).
  std::uint32_t threads = pittsburgh_threads;
  bool timed = false;  ///< fills the seconds; the events that it takes cost a little
};

/// Threads of a block, and what a processor has of them at once (Table 1).
struct PittsburghOccupancy {
  std::uint32_t threads = 0;
  std::uint32_t active_blocks = 0;
  std::uint32_t active_threads = 0;
  std::uint32_t most_threads = 0;  ///< that a processor has room for
};
/// The numbers of threads of Table 1.
inline constexpr std::uint32_t pittsburgh_block_sizes[] = {128, 192, 256, 320};

/// Holds a dataset on the device as the paper does: 8 bytes a cell, column after column, padded.
/// Rows without a class are left out. Not thread-safe.
class PittsburghPipeline {
 public:
  virtual ~PittsburghPipeline() = default;
  /// Blocking.
  /// @param lists  [n] that fit the class (expect_fit())
  /// @param out  overwritten; reuses what it has allocated
  /// @throws UsageError if a rule needs more of the stack than there is
  /// @throws BackendUnavailable if the device fails, or its memory does not suffice for one list
  virtual void evaluate(std::span<const RuleSet> lists, const PittsburghOptions& options,
                        PittsburghResults& out) = 0;
  virtual PittsburghOccupancy occupancy(std::uint32_t threads) const = 0;
};

/// Makes a pipeline for the calling thread, which alone may use it, on the current device. Results
/// of as many lists as there is memory for are computed together.
/// @throws BackendUnavailable if this program was built without CUDA, the device does not answer,
///         its memory does not suffice, or there are more than 2^31 rows or 2^24 codes
std::unique_ptr<PittsburghPipeline> make_pittsburgh_pipeline(const Dataset& dataset,
                                                             std::uint32_t class_attribute,
                                                             const DeviceOptions& options = {});

}  // namespace atl::cuda
