#pragma once

#include <cstdint>
#include <span>

namespace atl {

/// How many rules there are with 2 to max_length items, each on another attribute, one of them the
/// consequent; A => B and B => A count once. 2^64 - 1 if there are more.
/// @param items  of each attribute
std::uint64_t space_size(std::span<const std::uint32_t> items, std::uint32_t max_length);

}  // namespace atl
