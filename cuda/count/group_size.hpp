#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/device/device_layout.hpp"

namespace atl::cuda {

/// The number of terms that a group of rules is to have (Batch::compile); a rule has two. At most
/// as many as leave shared memory for all warps, and fewer where that keeps more warps busy.
/// @param rows  that are evaluated at a time
/// @param wide  some attribute has more planes than a pass
std::uint32_t group_terms(const DeviceLimits& limits, std::uint64_t rows, std::size_t rules,
                          bool wide) noexcept;

}  // namespace atl::cuda
