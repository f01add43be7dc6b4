#pragma once

#include <cstdint>
#include <span>

#include "src/exhaustive/rules/items.hpp"

namespace atl {

/// The number of rules with 2 to max_length items, each on another attribute, one of them the
/// consequent; A => B and B => A count once. 2^64 - 1 if there are more.
/// @param items  of each attribute
std::uint64_t space_size(std::span<const std::uint32_t> items, std::uint32_t max_length);

/// The number of such rules of a table's items. Where some of them may not be concluded, A => B and
/// B => A count as two, of which mostly one is there.
std::uint64_t space_size(const Items& items, std::uint32_t max_length);

}  // namespace atl
