// Pieces that are a run of numbers, as tasks over rows, items or sets have them.
#pragma once

#include <cstdint>
#include <utility>

#include "src/work/task.hpp"

namespace atl {

struct NumberRange {
  std::uint32_t first, end;
};

/// @pre first < end
inline Piece encode_range(std::uint32_t first, std::uint32_t end) {
  ByteWriter out;
  out.put(first);
  out.put(end);
  return std::move(out).take();
}

/// @throws BadBytes if it is no such piece
inline NumberRange decode_range(const Piece& piece) {
  ByteReader in(piece);
  NumberRange range{};
  range.first = in.get<std::uint32_t>();
  range.end = in.get<std::uint32_t>();
  in.expect_end();
  require_bytes(range.first < range.end, "a range ends before it begins");
  return range;
}

}  // namespace atl
