#include "src/data/bit_planes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace atl {
namespace {

// 64 rows by 8 bits. Word i holds, in byte j, eight bits of row 8 j + i; transposed, word b holds
// bit b of all 64 rows in order. So the transposition is a swap of the word's index with the bit's
// index within each byte: three steps of masked exchanges between words, no step within a word
// (after the block exchanges of Warren, Hacker's Delight, 2nd ed., 7-3).
using Block = std::array<std::uint64_t, 8>;

// Swaps bits of the words' indices with bits of the indices that `unit` bits have within a word.
// Masks have those of the exchanged units whose bit is zero.
void exchange(Block& block, unsigned unit, const std::array<std::uint64_t, 3>& masks) noexcept {
  for (unsigned step = 0; step < 3; ++step) {
    const unsigned distance = 1U << step;
    const unsigned shift = unit * distance;
    for (unsigned i = 0; i < 8; ++i) {
      if ((i & distance) != 0) continue;
      const std::uint64_t change = ((block[i] >> shift) ^ block[i + distance]) & masks[step];
      block[i] ^= change << shift;
      block[i + distance] ^= change;
    }
  }
}

void swap_index_and_bit(Block& block) noexcept {
  exchange(block, 1, {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F});
}

// Byte j of word i changes places with byte i of word j.
void transpose_bytes(Block& block) noexcept {
  exchange(block, 8, {0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF});
}

// Bytes of the rows in order. As words of eight rows each they are a block, transposed.
using RowBytes = std::array<std::uint8_t, 64>;
static_assert(std::endian::native == std::endian::little);

Block block_of(const RowBytes& rows) noexcept {
  auto block = std::bit_cast<Block>(rows);
  transpose_bytes(block);
  return block;
}

RowBytes rows_of(Block block) noexcept {
  transpose_bytes(block);
  return std::bit_cast<RowBytes>(block);
}

// Bits [shift, shift + 8) of 64 codes.
Block gather(const std::uint32_t* codes, unsigned shift) noexcept {
  RowBytes rows;
  for (std::size_t row = 0; row < 64; ++row)
    rows[row] = static_cast<std::uint8_t>(codes[row] >> shift);
  return block_of(rows);
}

void scatter(const Block& block, unsigned shift, std::uint32_t* codes) noexcept {
  const RowBytes rows = rows_of(block);
  for (std::size_t row = 0; row < 64; ++row) codes[row] |= std::uint32_t{rows[row]} << shift;
}

// Replaces missing codes by zero and returns the bits of the rows that have a value.
std::uint64_t split_missing(std::uint32_t* codes) noexcept {
  RowBytes rows;
  for (std::size_t row = 0; row < 64; ++row) {
    rows[row] = codes[row] != missing_code ? 1 : 0;
    codes[row] = codes[row] == missing_code ? 0 : codes[row];
  }
  const Block block = block_of(rows);
  std::uint64_t present = 0;
  for (unsigned i = 0; i < 8; ++i) present |= block[i] << i;
  return present;
}

void join_missing(std::uint64_t present, std::uint32_t* codes) noexcept {
  if (present == ~std::uint64_t{0}) return;
  for (unsigned row = 0; row < 64; ++row)
    codes[row] |= static_cast<std::uint32_t>((present >> row) & 1) - 1;  // missing_code is all ones
}

}  // namespace

void codes_to_planes(std::span<const std::uint32_t> codes, const PlaneLayout& layout,
                     std::span<std::uint64_t> words) noexcept {
  const std::size_t used = words_for(codes.size());
  assert(layout.planes <= 32 && layout.stride >= used && words.size() >= layout.size());
  for (std::size_t word = 0; word < used; ++word) {
    std::array<std::uint32_t, 64> rows{};
    const auto from = codes.subspan(word * 64, std::min<std::size_t>(64, codes.size() - word * 64));
    if (layout.has_present) rows.fill(missing_code);
    std::copy(from.begin(), from.end(), rows.begin());
    if (layout.has_present) {
      words[layout.planes * layout.stride + word] = split_missing(rows.data());
    }
    for (std::uint32_t first = 0; first < layout.planes; first += 8) {
      Block block = gather(rows.data(), first);
      swap_index_and_bit(block);
      const std::uint32_t last = std::min(layout.planes, first + 8);
      for (std::uint32_t bit = first; bit < last; ++bit) {
        words[bit * layout.stride + word] = block[bit - first];
      }
    }
  }
  for (std::uint32_t plane = 0; plane < layout.count(); ++plane) {
    const auto rest = words.subspan(plane * layout.stride + used, layout.stride - used);
    std::fill(rest.begin(), rest.end(), 0);
  }
}

void planes_to_codes(std::span<const std::uint64_t> words, const PlaneLayout& layout,
                     std::span<std::uint32_t> codes) noexcept {
  const std::size_t used = words_for(codes.size());
  assert(layout.planes <= 32 && layout.stride >= used && words.size() >= layout.size());
  for (std::size_t word = 0; word < used; ++word) {
    std::array<std::uint32_t, 64> rows{};
    for (std::uint32_t first = 0; first < layout.planes; first += 8) {
      Block block{};
      const std::uint32_t last = std::min(layout.planes, first + 8);
      for (std::uint32_t bit = first; bit < last; ++bit) {
        block[bit - first] = words[bit * layout.stride + word];
      }
      swap_index_and_bit(block);
      scatter(block, first, rows.data());
    }
    if (layout.has_present) {
      join_missing(words[layout.planes * layout.stride + word], rows.data());
    }
    const auto to = codes.subspan(word * 64, std::min<std::size_t>(64, codes.size() - word * 64));
    std::copy_n(rows.begin(), to.size(), to.begin());
  }
}

}  // namespace atl
