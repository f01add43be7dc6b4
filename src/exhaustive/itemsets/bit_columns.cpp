#include "src/exhaustive/itemsets/bit_columns.hpp"

#include <array>
#include <bit>
#include <iterator>

#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl {
namespace {

/// Places where the rows of each power of two begin, and all word rows.
struct Powers {
  std::array<std::size_t, 33> first_word{};

  template <typename Weight>
  Powers(std::size_t rows, Weight weight) {
    std::array<std::size_t, 32> count{};
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::uint32_t w = weight(r); w != 0; w &= w - 1) {
        ++count[static_cast<std::size_t>(std::countr_zero(w))];
      }
    }
    for (std::size_t b = 0; b < 32; ++b) first_word[b + 1] = first_word[b] + (count[b] + 63) / 64;
  }
  std::size_t words() const noexcept { return first_word[32]; }
  std::uint8_t* shifts(WordStack& stack) const {
    auto* const to = stack.array<std::uint8_t>(words());
    for (std::size_t b = 0; b < 32; ++b) {
      std::fill(to + first_word[b], to + first_word[b + 1], static_cast<std::uint8_t>(b));
    }
    return to;
  }
};

}  // namespace

BitColumns columns_of_rows(const RankedRows& rows, WordStack& stack) {
  const Powers powers(rows.rows(), [&](std::size_t r) { return rows.weights[r]; });
  const std::size_t stride = stride_of(rows.ranks());
  std::uint64_t* const words = stack.words(powers.words() * stride);
  std::fill_n(words, powers.words() * stride, std::uint64_t{0});
  std::array<std::size_t, 32> place;
  for (std::size_t b = 0; b < 32; ++b) place[b] = powers.first_word[b] * 64;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::uint32_t w = rows.weights[r]; w != 0; w &= w - 1) {
      const std::size_t at = place[static_cast<std::size_t>(std::countr_zero(w))]++;
      std::uint64_t* const row = words + at / 64 * stride;
      const std::uint64_t bit = std::uint64_t{1} << at % 64;
      for (std::uint32_t k = rows.starts[r]; k < rows.starts[r + 1]; ++k) {
        row[rows.entries[k]] |= bit;
      }
    }
  }
  return {words,        powers.words(),       stride,           powers.shifts(stack),
          rows.ranks(), rows.supports.data(), rows.names.data()};
}

BitColumns RowMerger::merge(const BitColumns& columns, WordStack& stack) {
  const std::size_t capacity = std::bit_ceil(columns.word_rows * 128);
  if (table_.size() < capacity) table_.assign(capacity, {});
  const int shift = 64 - std::countr_zero(capacity);
  used_.clear();
  Bits64 bits;
  for (std::size_t w = 0; w < columns.word_rows; ++w) {
    std::copy_n(columns.words + w * columns.stride, columns.items, bits.words);
    std::fill(bits.words + columns.items, std::end(bits.words), 0);
    transpose(bits);
    for (const std::uint64_t row : bits.words) {
      if (row == 0) continue;  // the supports are known
      std::size_t slot = (row * 0x9E3779B97F4A7C15) >> shift;
      while (table_[slot].row != row && table_[slot].row != 0) slot = (slot + 1) & (capacity - 1);
      if (table_[slot].row == 0) {
        table_[slot].row = row;
        used_.push_back(static_cast<std::uint32_t>(slot));
      }
      table_[slot].weight += std::uint32_t{1} << columns.shifts[w];
    }
  }

  const Powers powers(used_.size(), [&](std::size_t r) { return table_[used_[r]].weight; });
  std::uint64_t* const words = stack.words(powers.words() * columns.stride);
  std::fill_n(words, powers.words() * columns.stride, std::uint64_t{0});
  std::uint64_t* to = words;
  for (std::size_t b = 0; b < 32; ++b) {
    std::size_t rows = 0;
    const auto write = [&] {
      std::fill(bits.words + rows, std::end(bits.words), 0);
      transpose(bits);
      std::copy_n(bits.words, columns.items, to);
      to += columns.stride;
      rows = 0;
    };
    for (const std::uint32_t slot : used_) {
      if ((table_[slot].weight >> b & 1) == 0) continue;
      bits.words[rows++] = table_[slot].row;
      if (rows == 64) write();
    }
    if (rows > 0) write();
  }
  BitColumns merged = columns;
  merged.words = words;
  merged.word_rows = powers.words();
  merged.shifts = powers.shifts(stack);
  for (const std::uint32_t slot : used_) table_[slot] = {};
  return merged;
}

}  // namespace atl
