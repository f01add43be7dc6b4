// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/exhaustive/pairs/item_bits.hpp"

#include <bit>

// The first is needed for vpopcntb; arrays of vectors need a size known to the compiler.
#define HWY_WANT_AVX3_DL
#ifndef HWY_DISABLED_TARGETS  // builds with sanitizers make fewer variants
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/exhaustive/pairs/item_bits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using PairBytes = hn::CappedTag<std::uint8_t, 64>;

#if HWY_TARGET == HWY_SCALAR  // which has one lane

void add_common_bits_here(const std::uint64_t* row, const std::uint64_t* columns,
                          std::size_t number, std::size_t stride, std::size_t words,
                          std::uint32_t* counts) {
  for (std::size_t k = 0; k < number; ++k) {
    for (std::size_t at = 0; at < words; ++at) {
      counts[k] += static_cast<std::uint32_t>(std::popcount(row[at] & columns[k * stride + at]));
    }
  }
}

void make_tables_here(const std::uint8_t* ones, std::uint8_t* tables) {
  constexpr std::size_t rows = BitProduct::rows;
  for (std::size_t at = 0; at < BitProduct::transactions / 4 * 16 * rows; ++at) {
    const std::size_t row = at % rows, set = at / rows % 16, four = at / rows / 16;
    tables[at] = 0;
    for (std::size_t bit = 0; bit < 4; ++bit) {
      const std::size_t more = (set >> bit & 1) * ones[(four * 4 + bit) * rows + row];
      tables[at] = static_cast<std::uint8_t>(tables[at] + more);
    }
  }
}

void add_products_here(const std::uint8_t* tables, const std::uint8_t* columns, std::size_t number,
                       std::size_t bytes_of_step, std::uint16_t* sums) {
  for (std::size_t c = 0; c < number; ++c) {
    for (std::size_t four = 0; four < 2 * bytes_of_step; ++four) {
      const std::size_t set = columns[c * bytes_of_step + four / 2] >> four % 2 * 4 & 15;
      const std::uint8_t* const from = tables + (four * 16 + set) * BitProduct::rows;
      std::uint16_t* const to = sums + c * BitProduct::rows;
      for (std::size_t row = 0; row < BitProduct::rows; ++row) {
        to[row] = static_cast<std::uint16_t>(to[row] + from[row]);
      }
    }
  }
}

constexpr std::size_t place_of_row(std::size_t row) {
  return row;
}

#else

/// @tparam Columns  counted side by side
template <std::size_t Columns>
void add_common_of(const std::uint64_t* row, const std::uint64_t* columns, std::size_t stride,
                   std::size_t words, std::uint32_t* counts) {
  const PairBytes bytes;
  const hn::Repartition<std::uint64_t, PairBytes> wide;
  const std::size_t step = hn::Lanes(wide);
  auto sum0 = hn::Zero(wide), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  // Each step adds at most 8 to a byte.
  for (std::size_t part = 0; part < words; part += 31 * step) {
    const std::size_t end = part + 31 * step < words ? part + 31 * step : words;
    auto bits0 = hn::Zero(bytes), bits1 = bits0, bits2 = bits0, bits3 = bits0;
    for (std::size_t at = part; at < end; at += step) {
      const auto here = hn::Load(wide, row + at);
      const auto common = [&](std::size_t column) HWY_ATTR {
        const auto both = hn::And(here, hn::Load(wide, columns + column * stride + at));
        return hn::PopulationCount(hn::BitCast(bytes, both));
      };
      bits0 = hn::Add(bits0, common(0));
      if constexpr (Columns > 1) bits1 = hn::Add(bits1, common(1));
      if constexpr (Columns > 2) bits2 = hn::Add(bits2, common(2));
      if constexpr (Columns > 3) bits3 = hn::Add(bits3, common(3));
    }
    sum0 = hn::Add(sum0, hn::SumsOf8(bits0));
    sum1 = hn::Add(sum1, hn::SumsOf8(bits1));
    sum2 = hn::Add(sum2, hn::SumsOf8(bits2));
    sum3 = hn::Add(sum3, hn::SumsOf8(bits3));
  }
  const auto total = [&](auto sum) HWY_ATTR {
    return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(wide, sum)));
  };
  counts[0] += total(sum0);
  if constexpr (Columns > 1) counts[1] += total(sum1);
  if constexpr (Columns > 2) counts[2] += total(sum2);
  if constexpr (Columns > 3) counts[3] += total(sum3);
}

void add_common_bits_here(const std::uint64_t* row, const std::uint64_t* columns,
                          std::size_t number, std::size_t stride, std::size_t words,
                          std::uint32_t* counts) {
  std::size_t k = 0;
  for (; k + 4 <= number; k += 4) {
    add_common_of<4>(row, columns + k * stride, stride, words, counts + k);
  }
  for (; k < number; ++k) {
    add_common_of<1>(row, columns + k * stride, stride, words, counts + k);
  }
}

constexpr std::size_t product_vectors() {
  return BitProduct::rows / hn::MaxLanes(PairBytes());
}

void make_tables_here(const std::uint8_t* ones, std::uint8_t* tables) {
  const PairBytes bytes;
  constexpr std::size_t lanes = hn::MaxLanes(PairBytes());
  for (std::size_t four = 0; four < BitProduct::transactions / 4; ++four) {
    const std::uint8_t* const here = ones + four * 4 * BitProduct::rows;
    std::uint8_t* const table = tables + four * 16 * BitProduct::rows;
    for (std::size_t at = 0; at < BitProduct::rows; at += lanes) {
      hn::Store(hn::Zero(bytes), bytes, table + at);
      for (std::size_t bit = 0; bit < 4; ++bit) {
        const auto more = hn::Load(bytes, here + bit * BitProduct::rows + at);
        const std::size_t sets = std::size_t{1} << bit;
        for (std::size_t set = 0; set < sets; ++set) {
          const auto sum = hn::Load(bytes, table + set * BitProduct::rows + at);
          hn::Store(hn::Add(sum, more), bytes, table + (sets + set) * BitProduct::rows + at);
        }
      }
    }
  }
}

/// Sums of bytes in even places come first, then those in odd ones, vector by vector.
void add_products_here(const std::uint8_t* tables, const std::uint8_t* columns, std::size_t number,
                       std::size_t bytes_of_step, std::uint16_t* sums) {
  const PairBytes bytes;
  const hn::Repartition<std::uint16_t, PairBytes> pairs;
  constexpr std::size_t lanes = hn::MaxLanes(PairBytes());
  const auto low = hn::Set(pairs, std::uint16_t{0xFF});
  for (std::size_t c = 0; c < number; ++c) {
    // Two chains of sums, which do not wait for each other.
    hn::Vec<PairBytes> here[product_vectors()], more[product_vectors()];
    for (std::size_t v = 0; v < product_vectors(); ++v) here[v] = more[v] = hn::Zero(bytes);
    const std::uint8_t* table = tables;
    for (std::size_t k = 0; k < bytes_of_step; ++k) {
      const std::size_t eight = *columns++;
      const std::size_t first = (eight & 0x0F) * BitProduct::rows;
      const std::size_t second = (eight >> 4) * BitProduct::rows;
      for (std::size_t v = 0; v < product_vectors(); ++v) {
        here[v] = hn::Add(here[v], hn::Load(bytes, table + first + v * lanes));
        more[v] =
            hn::Add(more[v], hn::Load(bytes, table + 16 * BitProduct::rows + second + v * lanes));
      }
      table += 32 * BitProduct::rows;
    }
    for (std::size_t v = 0; v < product_vectors(); ++v) here[v] = hn::Add(here[v], more[v]);
    std::uint16_t* to = sums + c * BitProduct::rows;
    for (std::size_t v = 0; v < product_vectors(); ++v) {
      const auto both = hn::BitCast(pairs, here[v]);
      hn::Store(hn::Add(hn::Load(pairs, to), hn::And(both, low)), pairs, to);
      to += lanes / 2;
      hn::Store(hn::Add(hn::Load(pairs, to), hn::ShiftRight<8>(both)), pairs, to);
      to += lanes / 2;
    }
  }
}

constexpr std::size_t place_of_row(std::size_t row) {
  constexpr std::size_t lanes = hn::MaxLanes(PairBytes());
  return row / lanes * lanes + (row % 2) * (lanes / 2) + row % lanes / 2;
}

#endif

void take_sums_here(std::uint16_t* sums, std::size_t number, std::uint32_t* counts,
                    std::size_t stride, std::size_t used_rows) {
  constexpr std::size_t together = 16;
  for (std::size_t first = 0; first < number; first += together) {
    const std::size_t end = first + together < number ? first + together : number;
    for (std::size_t row = 0; row < used_rows; ++row) {
      const std::size_t at = place_of_row(row);
      for (std::size_t c = first; c < end; ++c) {
        counts[row * stride + c] += sums[c * BitProduct::rows + at];
      }
    }
  }
  for (std::size_t k = 0; k < number * BitProduct::rows; ++k) sums[k] = 0;
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {
namespace {
HWY_EXPORT(add_common_bits_here);
HWY_EXPORT(make_tables_here);
HWY_EXPORT(add_products_here);
HWY_EXPORT(take_sums_here);
}  // namespace

ItemBits::ItemBits(const PairRows& rows, std::uint32_t columns)
    : words(words_of(rows.transactions())), bits(columns * words) {
  for (std::uint32_t rank = 0; rank < columns; ++rank) {
    set_bits_of(rows, rank, bits.data() + rank * words);
  }
}

void set_bits_of(const PairRows& rows, std::uint32_t rank, std::uint64_t* column) {
  for (const PairRows::Place& place : rows.places(rank)) {
    column[place.transaction / 64] |= std::uint64_t{1} << place.transaction % 64;
  }
}

void add_common_bits(const std::uint64_t* row, const std::uint64_t* columns, std::size_t number,
                     std::size_t stride, std::size_t words, std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(add_common_bits_here)(row, columns, number, stride, words, counts);
}

void BitProduct::make_tables(const std::uint8_t* ones, std::uint8_t* tables) {
  HWY_DYNAMIC_DISPATCH(make_tables_here)(ones, tables);
}

void BitProduct::add(const std::uint8_t* tables, const std::uint8_t* columns, std::size_t number,
                     std::uint16_t* sums) {
  HWY_DYNAMIC_DISPATCH(add_products_here)(tables, columns, number, step_bytes, sums);
}

void BitProduct::take_sums(std::uint16_t* sums, std::size_t number, std::uint32_t* counts,
                           std::size_t stride, std::size_t used_rows) {
  HWY_DYNAMIC_DISPATCH(take_sums_here)(sums, number, counts, stride, used_rows);
}

}  // namespace atl
#endif
