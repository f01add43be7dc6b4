#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/data/dependences/sample.hpp"

namespace atl {

/// Between attributes that vary, the first of their copies alone; as find_dependences says.
/// @param attributes  ascending
/// @param found  overwritten
/// @return whether all was looked at
bool find_determinations(const DependenceSample& sample, std::span<const std::uint32_t> attributes,
                         std::span<const AttributeGroup> copies, ThreadPool& pool,
                         std::vector<Determination>& found);

}  // namespace atl
