#pragma once

#include <cstddef>
#include <cstdint>

namespace atl::io {

/// Where a table's text has what splits it: bit i of a word is byte i of 64.
struct TextStructure {
  std::uint64_t separators;  ///< delimiters and line feeds
  std::uint64_t line_feeds;
  std::uint64_t quotes;
  std::uint64_t blanks;  ///< but for delimiters
  std::uint64_t carriage_returns;
};

/// @param bytes  [64 * blocks]
/// @param out    [blocks]
void find_structure(const char* bytes, std::size_t blocks, char delimiter, char quote,
                    TextStructure* out) noexcept;

}  // namespace atl::io
