// The pipeline of Cano, Luna and Ventura 2013 (Listings 1 to 3), to measure ours against;
// docs/concepts/published-pipeline.md says what was mended.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cuda/device/device.hpp"
#include "cuda/published/published_fitness.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/rule_counter.hpp"
#include "src/rules/rule.hpp"

namespace atl::cuda {

struct PublishedOptions {
  /// Runs antecedents, consequents and fitness in streams of their own, two chunks of rules at a
  /// time, so that transfers and kernels overlap (section 7.3). Otherwise one after the other.
  bool concurrent = false;
  /// Fills the seconds; the events that it takes cost a little.
  bool timed = false;
};

/// Seconds of the parts, by device events. Concurrently, the parts overlap and their sum is more
/// than the whole.
struct PublishedSeconds {
  double upload = 0;
  double coverage = 0;
  double reduction = 0;
  double fitness = 0;
  double download = 0;
  double total = 0;  ///< from the first upload to the last download
};

struct PublishedResults {
  /// [rules] tables and comparison supports as the reference device's. What the paper does not
  /// count is zero: coverage hashes and rows with a missing consequent.
  std::vector<RuleCounts> counts;
  std::vector<PublishedFitness> fitness;  ///< [rules]
  PublishedSeconds seconds;
};

/// Holds a dataset on the device as the paper does: 4 bytes a cell, column after column, padded.
/// Not thread-safe.
class PublishedPipeline {
 public:
  virtual ~PublishedPipeline() = default;
  /// Blocking. Counts all comparisons' supports, shares none.
  /// @param rules  [n] any; an empty expression holds on every row
  /// @param out  overwritten; reuses what it has allocated
  /// @throws UnknownAttribute before anything is started
  /// @throws UsageError if a rule does not fit in constant memory (serial: 64 KiB, else half)
  /// @throws BackendUnavailable if the device fails, or its memory does not suffice
  virtual void evaluate(std::span<const Rule> rules, const PublishedOptions& options,
                        PublishedResults& out) = 0;
};

/// Makes a pipeline for the calling thread, which alone may use it. The dataset must outlive it.
/// @param options  of the memory, the bytes of results of a chunk of rules take what is left
/// @throws BackendUnavailable if this program was built without CUDA, the device does not answer,
///         its memory does not suffice, or there are more than 2^31 rows
std::unique_ptr<PublishedPipeline> make_published_pipeline(const Dataset& dataset,
                                                           const DeviceOptions& options = {});

}  // namespace atl::cuda
