#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/device_layout.hpp"

namespace atl::cuda {

/// Terms that a group of rules is to have (Batch::compile): as many as leave shared memory for all
/// warps, where rows and rules are few, fewer, so that every warp has a group.
/// @param rows  that are evaluated at a time
/// @param wide  some attribute has more planes than a pass
std::uint32_t group_terms(const DeviceLimits& limits, std::uint64_t rows, std::size_t rules,
                          bool wide) noexcept;

}  // namespace atl::cuda
