// Preset `random-search`: a baseline that every other search has to beat.
#pragma once

#include "islands/algorithms.hpp"

namespace atl {

/// Each generation is a population of distinct rules derived at random, without any selection. All
/// that meet the constraints are offered to the archive. Emigrants are sent as the experiment says,
/// but immigrants take no place, as no population has offspring.
AlgorithmParts random_search_parts();

}  // namespace atl
