// Bits of the most frequent items, a column each, and what counts with them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/data/aligned_words.hpp"
#include "src/exhaustive/pairs/pair_rows.hpp"

namespace atl {

/// The columns of the items of ranks below a bound, a bit for each transaction of PairRows.
struct ItemBits {
  /// @param columns  items
  ItemBits(const PairRows& rows, std::uint32_t columns);

  static std::size_t words_of(std::uint32_t transactions) noexcept {
    return (std::size_t{transactions} + 511) / 512 * 8;
  }
  /// Bytes of so many columns.
  static std::uint64_t bytes(std::uint64_t columns, std::uint32_t transactions) noexcept {
    return columns * words_of(transactions) * 8;
  }
  const std::uint64_t* column(std::uint32_t rank) const noexcept {
    return bits.data() + rank * words;
  }

  std::size_t words;  ///< of a column, a multiple of 8; bits behind the transactions are 0
  AlignedWords bits;  ///< [columns][words]
};

/// Sets the bits of an item. @param column  [words_of(transactions)] 0 at first
void set_bits_of(const PairRows& rows, std::uint32_t rank, std::uint64_t* column);

/// Adds the bits that a column has in common with each of some others.
/// @param row      [words] a multiple of 8, as all at a 64-byte boundary
/// @param columns  [number][stride]
/// @param counts   [number] added to
void add_common_bits(const std::uint64_t* row, const std::uint64_t* columns, std::size_t number,
                     std::size_t stride, std::size_t words, std::uint32_t* counts);

/// Counts many rows with many columns at once, by sums of bytes that are looked up: for each four
/// transactions there is a table of the sums of each of their 16 subsets, of all rows in a vector,
/// and the four bits of a column choose the sum to add (after Arlazarov, Dinic, Kronrod and
/// Faradzhev 1970, who multiply Boolean matrices so).
struct BitProduct {
  static constexpr std::size_t rows = 64;
  static constexpr std::size_t transactions = 128;  ///< of a step
  static constexpr std::size_t step_bytes = transactions / 8;
  static constexpr std::size_t table_bytes = transactions / 4 * 16 * rows;  ///< fits a first cache
  static constexpr std::size_t most_steps = 511;  ///< until a 16-bit sum is full

  /// Makes the tables of a step. @param ones  [transactions][rows] 1 where the row has it, else 0
  static void make_tables(const std::uint8_t* ones, std::uint8_t* tables);
  /// Adds a step to the sums of some columns.
  /// @param tables   at a 64-byte boundary
  /// @param columns  [number][step_bytes] the bits of the step's transactions
  /// @param sums     [number][rows] at a 64-byte boundary, in an order of their own within a column
  static void add(const std::uint8_t* tables, const std::uint8_t* columns, std::size_t number,
                  std::uint16_t* sums);
  /// Adds sums to counts, and sets them to 0. @param counts  [used_rows][stride]
  static void take_sums(std::uint16_t* sums, std::size_t number, std::uint32_t* counts,
                        std::size_t stride, std::size_t used_rows);
};

}  // namespace atl
