#pragma once

#include <cstdint>

namespace atl {

/// Eight bytes for each byte of bits.
struct ByteTable {
  std::uint64_t of[256];
};

/// The places of the bits that are set, ascending, in the lowest bytes; the others are 0.
constexpr ByteTable make_bit_places() {
  ByteTable table{};
  for (std::uint64_t bits = 0; bits < 256; ++bits) {
    std::uint64_t set = 0;
    for (std::uint64_t bit = 0; bit < 8; ++bit) {
      if ((bits >> bit & 1) != 0) table.of[bits] |= bit << 8 * set++;
    }
  }
  return table;
}

/// Where what a shuffle brings together is. hn::Compress() of targets without an instruction for it
/// copies a table of its own to the stack each time, if compiled by GCC 12, which takes far longer
/// than all the rest.
inline constexpr ByteTable bit_places = make_bit_places();

}  // namespace atl
