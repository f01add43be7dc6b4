#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/device/device_layout.hpp"

namespace atl::cuda {

/// Terms that a group of rules is to have (Batch::compile), two a rule: at most as many as leave
/// shared memory for all warps, fewer where that keeps more of them busy.
/// @param rows  that are evaluated at a time
/// @param wide  some attribute has more planes than a pass
std::uint32_t group_terms(const DeviceLimits& limits, std::uint64_t rows, std::size_t rules,
                          bool wide) noexcept;

}  // namespace atl::cuda
