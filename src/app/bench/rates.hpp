// How fast an evaluator counts a workload, and how fast a core could.
#pragma once

#include <cstdint>
#include <span>

#include "src/app/bench/stopwatch.hpp"
#include "src/eval/core_rates.hpp"
#include "src/eval/evaluator.hpp"

namespace atl {

struct EvaluationTimes {
  Timing raw;                 ///< every comparison of every rule
  Timing with_supports;       ///< likewise, with the support of each comparison
  Timing effective;           ///< each distinct comparison of a batch once
  double distinct_share = 0;  ///< of the comparisons, in the effective runs
};

/// Times submit and wait of all rules as one batch.
/// @param seconds  to spend on each of the three, about
EvaluationTimes time_evaluation(Evaluator& evaluator, std::span<const Rule> rules,
                                std::span<const Attribute> attributes, double seconds);

/// Symbols of all rules times rows a second that a core reaches at most by comparing bit planes,
/// raw. For a word of 64 rows that takes at least, at the core's rates,
///   logic: a step for each planes_per_step planes, for `code > bound` from those after the ones
///     with the bound's lowest zero bit on, for an equality from the second on; one to join the
///     comparison to its side; one for both sides;
///   three popcounts a rule; a load a comparison, of the words that it is joined to;
/// whichever of the three takes longest.
double core_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                  const CoreRates& rates);

}  // namespace atl
