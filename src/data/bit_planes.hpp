// Conversions between lists of codes and bit planes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl {

/// Code of a missing value where codes are listed as u32.
inline constexpr std::uint32_t missing_code = 0xFFFFFFFF;

/// Words that have a bit for each of so many rows.
constexpr std::size_t words_for(std::uint64_t rows) noexcept {
  return static_cast<std::size_t>((rows + 63) / 64);
}

/// Layout of the planes of one attribute in memory: [planes + has_present][stride] words, plane of
/// the lowest bit first, `present` last. Row r is bit r % 64 of word r / 64.
struct PlaneLayout {
  std::uint32_t planes = 1;  ///< at most 32
  bool has_present = false;
  std::size_t stride = 0;  ///< words from one plane to the next

  std::uint32_t count() const noexcept { return planes + (has_present ? 1U : 0U); }
  std::size_t size() const noexcept { return count() * stride; }
};

/// @param codes  [rows] below 2^planes, or missing_code if the layout has `present`
/// @param words  [layout.size()], stride at least words_for(rows); overwritten, zero beyond the
///               rows and where the value is missing
void codes_to_planes(std::span<const std::uint32_t> codes, const PlaneLayout& layout,
                     std::span<std::uint64_t> words) noexcept;

/// @param words  [layout.size()] as codes_to_planes makes them
/// @param codes  [rows] overwritten
void planes_to_codes(std::span<const std::uint64_t> words, const PlaneLayout& layout,
                     std::span<std::uint32_t> codes) noexcept;

}  // namespace atl
