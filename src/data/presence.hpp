// Attributes that only say whether something is there, as a basket's columns of items do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "src/data/attribute.hpp"

namespace atl {

/// The code of "there" of an attribute whose values are just the two, "there" and "absent": the
/// numbers 1 and 0, or the labels of a pair such as yes and no (presence.cpp has them all), in
/// upper or lower case. Nothing of any other attribute.
std::optional<std::uint32_t> presence_code(const Attribute& attribute) noexcept;

/// Figures on how a table says what is there.
struct PresenceSummary {
  std::uint64_t attributes = 0;       ///< that have a presence_code()
  std::uint64_t varied = 0;           ///< that have two values or more
  std::uint64_t there = 0, rows = 0;  ///< summed over the former; 0 if rows are not counted

  /// Is it a list of what is there, as a table of market baskets is: at least 8 such attributes,
  /// at least 90% of the varied ones, there on less than 10% of the rows on average?
  bool lists_items() const noexcept;
};
PresenceSummary summarise_presence(std::span<const Attribute> attributes) noexcept;

}  // namespace atl
