#pragma once

#include <cstddef>
#include <cstdint>

namespace atl {

/// A comparison on listed codes, one of which stands for a missing value.
template <typename Code>
struct CodeFilter {
  Code low, high;
  bool negated;
  Code missing;  ///< beyond `high`
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

struct ListedRows {
  std::size_t rows, marked;
};

/// Lists rows by ascending number: 2 r + 1 where the second set has row r, too, else 2 r.
/// @param rows    [filter_rows / 64] the rows that are listed
/// @param marked  [filter_rows / 64] a subset of them
/// @param first   number of the first row
/// @param out     [filter_rows + spare_rows] what lies behind the last is overwritten, too
/// @return how many
ListedRows list_rows(const std::uint64_t* rows, const std::uint64_t* marked, std::uint32_t first,
                     std::uint32_t* out) noexcept;
inline constexpr std::size_t spare_rows = 64;

}  // namespace atl
