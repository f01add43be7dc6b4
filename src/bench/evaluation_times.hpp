// Measures how fast a device counts a workload.
#pragma once

#include <optional>
#include <span>

#include "src/bench/stopwatch.hpp"
#include "src/eval/device.hpp"

namespace atl {

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
