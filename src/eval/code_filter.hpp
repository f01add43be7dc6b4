#pragma once

#include <cstddef>
#include <cstdint>

namespace atl {

/// A comparison on listed codes, the greatest of their type being that of a missing value.
template <typename Code>
struct CodeFilter {
  Code low, high;
  bool negated;
};

/// Rows that a call looks at.
inline constexpr std::size_t filter_rows = 1024;

/// Clears the bits of rows that the comparison does not hold on.
/// @param codes  [filter_rows]
/// @param rows   [filter_rows / 64] bit r % 64 of word r / 64 is row r's
void filter(const CodeFilter<std::uint8_t>& comparison, const std::uint8_t* codes,
            std::uint64_t* rows) noexcept;
void filter(const CodeFilter<std::uint16_t>& comparison, const std::uint16_t* codes,
            std::uint64_t* rows) noexcept;
void filter(const CodeFilter<std::uint32_t>& comparison, const std::uint32_t* codes,
            std::uint64_t* rows) noexcept;

}  // namespace atl
