// Attributes that hold the same in other words; as find_dependences says.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/data/dependences/sample.hpp"

namespace atl {

/// Among all attributes of the sample.
std::vector<AttributeGroup> find_copies(const DependenceSample& sample, ThreadPool& pool);

/// Groups that have no attribute in common. Gives up after a fixed number of steps.
/// @param attributes  ascending
std::vector<AttributeGroup> find_one_hot(const DependenceSample& sample,
                                         std::span<const std::uint32_t> attributes);

/// @param attributes  ascending; of those with the same numbers the first alone is taken
/// @param copies  sums of which two attributes are copies are left out
std::vector<Sum> find_sums(const DependenceSample& sample,
                           std::span<const std::uint32_t> attributes,
                           std::span<const AttributeGroup> copies);

}  // namespace atl
