// Measures how fast a device counts a workload.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cuda/published/published_pipeline.hpp"
#include "src/bench/stopwatch.hpp"
#include "src/eval/device.hpp"

namespace atl {

/// The choice of `--pipeline`. If it is not given, the fused one is measured, with the published
/// one beside it.
/// The ways in which a device counts: as the backend does, by the same kernels with words in memory
/// between stages, and as was published.
enum class Pipeline { fused, staged, published };

const char* to_string(Pipeline pipeline) noexcept;

/// Medians, in seconds; the stages' by the device's events.
struct StageTimes {
  Timing wall;  ///< from rules in the host's memory to counts there
  double upload = 0, coverage = 0, reduction = 0, fitness = 0, download = 0;
  double total = 0;  ///< from the first upload to the last download

  double kernels() const noexcept { return coverage + reduction + fitness; }
};

/// @param seconds  to spend, about, and again with events
/// @param counts  [rules] overwritten
StageTimes time_published(cuda::PublishedPipeline& pipeline, std::span<const Rule> rules,
                          bool concurrent, double seconds, std::vector<RuleCounts>& counts);

struct Measured {
  Timing wall;                          ///< from rules in the host's memory to counts there
  std::optional<KernelSeconds> device;  ///< medians
};

struct EvaluationTimes {
  Measured raw;  ///< every comparison of every rule
  /// Likewise, with the support of each comparison.
  std::optional<Measured> with_supports;
  /// Each distinct comparison of a batch once, and their share of all.
  std::optional<Measured> effective;
  double distinct_share = 0;
};

/// Times all rules as one batch, from prepare to read.
/// @param seconds  to spend on each of the three, about, and again where a device has events
EvaluationTimes time_evaluation(Resident& resident, std::span<const Rule> rules,
                                std::span<const Attribute> attributes, double seconds);

/// Batches of the same rules, raw: one after the other, and all started before the first is
/// finished, so that what the host does and what it waits for overlap.
struct BatchTimes {
  static constexpr unsigned batches = 4;
  Timing serial;      ///< for one batch
  Timing concurrent;  ///< likewise
};
BatchTimes time_batches(Resident& resident, std::span<const Rule> rules, double seconds);

}  // namespace atl
