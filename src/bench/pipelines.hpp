// The ways in which a device counts: as the backend does, by the same kernels with words in memory
// between stages, and as was published.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cuda/published/published_pipeline.hpp"
#include "src/bench/stopwatch.hpp"

namespace atl {

/// The choice of `--pipeline`. If it is not given, the fused one is measured, with the published
/// one beside it.
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

}  // namespace atl
