// Rectangles of the matrix of pairs, counted on the device. All launches are asynchronous.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace atl::cuda {

/// Transactions of items, one item behind the other.
struct ItemTransactions {
  const std::uint64_t* starts = nullptr;        ///< [items + 1]
  const std::uint32_t* transactions = nullptr;  ///< [starts[items]]
};

/// A rectangle of items by rank, and where its counts go. Tiles of the rectangle in which every
/// column stands behind every row are left out: their pairs are those of other rows.
struct PairRectangle {
  std::uint32_t first_row, rows;
  std::uint32_t first_column, columns;
  std::uint32_t* counts;  ///< [rows][stride]
  std::size_t stride;
};

/// Bits of items, in whole slabs: behind the last transaction they are 0.
inline constexpr std::uint32_t slab_words = 32;
struct PairBits {
  const std::uint32_t* rows;     ///< [rows][words] of the rectangle's
  const std::uint32_t* columns;  ///< [columns][words] likewise
  std::uint32_t words;           ///< of 32 transactions, a multiple of slab_words
};

/// Sets the bits of the items of some ranks.
/// @param bits  [count][words] all 0 before
void launch_set_bits(const ItemTransactions& items, std::uint32_t first, std::uint32_t count,
                     std::uint32_t words, std::uint32_t* bits, cudaStream_t stream);

/// Counts by the product of bit matrices on tensor cores, which AND bits, count them and add in
/// 32 bits; those of compute capability 8.0 or newer. Else as launch_common_bits().
void launch_bit_product(const PairBits& bits, const PairRectangle& rectangle, cudaStream_t stream);
/// Counts by AND and popcount.
void launch_common_bits(const PairBits& bits, const PairRectangle& rectangle, cudaStream_t stream);

/// BatMaps of all items (src/exhaustive/pairs/batmap.hpp). Every map is a power of 2 of pieces.
inline constexpr std::uint32_t map_piece_words = 48;
struct DeviceBatMaps {
  const std::uint32_t* words = nullptr;   ///< of four entries
  const std::uint64_t* first = nullptr;   ///< [items] first word of a map
  const std::uint32_t* pieces = nullptr;  ///< [items]
};
/// Counts entries that two maps have in common; elements aside are left to the host.
void launch_common_entries(const DeviceBatMaps& maps, const PairRectangle& rectangle,
                           cudaStream_t stream);

}  // namespace atl::cuda
