#pragma once

#include <span>
#include <vector>

#include "src/measures/contingency_table.hpp"
#include "src/measures/measure.hpp"

namespace atl::cuda {

/// Computes what atl::evaluate says on the current device: [measures][tables]. Blocking.
/// @param measures  at most 64 that may steer the search (src/measures/measures.hpp)
/// @throws BackendUnavailable if this program was built without it or no device answers
std::vector<double> fitness(std::span<const Measure> measures,
                            std::span<const ContingencyTable> tables);

}  // namespace atl::cuda
