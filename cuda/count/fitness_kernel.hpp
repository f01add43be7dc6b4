// Measures of rules, from their contingency tables.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "src/measures/contingency_table.hpp"
#include "src/measures/measure.hpp"

namespace atl::cuda {

/// Most measures of one launch.
inline constexpr std::uint32_t most_measures = 64;

/// A thread for each rule. Asynchronous.
/// @param tables    [rules], on the device
/// @param measures  [count] on the host, read before this returns; those that may steer the search
///                  (src/measures/measures.hpp), NaN for others. @pre count <= most_measures
/// @param values    [count][rules], on the device; the bits of atl::evaluate but for NaN's
void launch_fitness(const ContingencyTable* tables, std::uint32_t rules, const Measure* measures,
                    std::uint32_t count, double* values, cudaStream_t stream);

}  // namespace atl::cuda
