#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/data/attribute.hpp"

namespace atl {

/// The codes of an attribute that is an item.
inline constexpr std::uint32_t item_absent = 0, item_present = 1;

/// An item of transactions as an attribute, whose rows they are.
/// @param support  transactions that have it
Attribute item_attribute(std::string name, std::uint64_t support, std::uint64_t transactions);

/// Are they items? Either all of them are or none.
inline bool are_items(std::span<const Attribute> attributes) noexcept {
  return !attributes.empty() && attributes.front().item;
}

}  // namespace atl
