// Steps that searches in bit columns have in common. Included by itemset_kernel.cpp and
// closed_kernel.cpp once for each instruction set; hence the guard that toggles.
#if defined(ATOLL_COLUMN_STEPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATOLL_COLUMN_STEPS_INL
#undef ATOLL_COLUMN_STEPS_INL
#else
#define ATOLL_COLUMN_STEPS_INL
#endif

#include <algorithm>
#include <cstring>

#include "src/core/bit_places.hpp"
#include "src/exhaustive/itemsets/bit_columns.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using WordTag = hn::ScalableTag<std::uint64_t>;
using WordVector = hn::Vec<WordTag>;
constexpr std::size_t word_lanes = hn::MaxLanes(WordTag());

template <typename V>
HWY_INLINE auto at_least(V a, V least) {
  using T = hn::TFromV<V>;
  const hn::ScalableTag<T> d;
  if constexpr (sizeof(T) == 8) {  // all numbers are below 2^63
    const hn::ScalableTag<std::int64_t> d_signed;
    return hn::RebindMask(d,
                          hn::Not(hn::Lt(hn::BitCast(d_signed, a), hn::BitCast(d_signed, least))));
  } else {
    return hn::Eq(hn::Max(a, least), a);
  }
}

// Bit i of the result: lane i.
template <typename D, typename M>
HWY_INLINE void store_mask(D d, M mask, std::size_t first_lane, std::uint64_t* bits) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);  // lanes are few, and bits above them zero
  bits[first_lane / 64] |= word << first_lane % 64;
}

#if HWY_TARGET == HWY_AVX2
// store_some() of eight lanes of two bytes.
template <typename D, typename V>
HWY_INLINE std::size_t store_some_twos(D d, V lanes, std::uint64_t some, std::uint16_t* to) {
  const auto places = hn::Set(hn::FixedTag<std::uint64_t, 1>(), bit_places.of[some]);
  const auto wide = hn::PromoteTo(d, hn::BitCast(hn::FixedTag<std::uint8_t, 8>(), places));
  const auto first = hn::Add(wide, wide);  // bytes of the lanes
  const auto both = hn::Add(hn::Or(first, hn::ShiftLeft<8>(first)), hn::Set(d, 0x0100));
  hn::StoreU(hn::TableLookupBytes(lanes, both), d, to);
  return hwy::PopCount(some);
}
#endif

// Writes those of the vector's lanes whose bits are set next to each other, and what is not told
// behind them: a vector at most.
// @return their number
template <typename D, typename V>
HWY_INLINE std::size_t store_some(D d, V lanes, std::uint64_t some, hn::TFromD<D>* to) {
#if HWY_TARGET == HWY_AVX2  // see bit_places
  const hn::Repartition<std::uint32_t, D> d_4;
  const auto shuffled = [&](std::uint64_t fours) {
    const auto places = hn::Set(hn::FixedTag<std::uint64_t, 1>(), bit_places.of[fours]);
    const auto bytes = hn::BitCast(hn::FixedTag<std::uint8_t, 8>(), places);
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(d_4, lanes),
                                               hn::IndicesFromVec(d_4, hn::PromoteTo(d_4, bytes))));
  };
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    static constexpr std::uint8_t pairs[] = {0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F,
                                             0xC0, 0xC3, 0xCC, 0xCF, 0xF0, 0xF3, 0xFC, 0xFF};
    hn::StoreU(shuffled(pairs[some]), d, to);
  } else if constexpr (sizeof(hn::TFromD<D>) == 4) {
    hn::StoreU(shuffled(some), d, to);
  } else {
    const hn::Half<D> half;
    const std::size_t lower = store_some_twos(half, hn::LowerHalf(half, lanes), some & 255, to);
    return lower + store_some_twos(half, hn::UpperHalf(half, lanes), some >> 8, to + lower);
  }
  return hwy::PopCount(some);
#else
  std::uint8_t bytes[8];
  std::memcpy(bytes, &some, sizeof bytes);
  return hn::CompressStore(lanes, hn::LoadMaskBits(d, bytes), d, to);
#endif
}

// A table of all sets of a few items costs about as much as its rows if there are 16 entries for
// each.
// @param most  that such a table has at most
inline std::size_t most_table_items(const BitColumns& columns, std::size_t most) {
  std::size_t items = 8;
  while (items < most && (std::size_t{2} << items) <= 16 * 64 * columns.word_rows) ++items;
  return items;
}

// Exchanges the upper `width` bits of the lower words of pairs with the lower ones of the upper
// words; the words of a pair are `width` lanes of a vector apart.
template <std::size_t Width>
HWY_INLINE WordVector exchange_in_vector(WordVector bits, std::uint64_t mask) {
  const WordTag d;
  alignas(64) std::int64_t other[word_lanes];
  for (std::size_t l = 0; l < word_lanes; ++l) other[l] = static_cast<std::int64_t>(l ^ Width);
  const WordVector others = hn::TableLookupLanes(bits, hn::SetTableIndices(d, other));
  const WordVector low = hn::Set(d, mask);
  const auto lower = hn::Eq(hn::And(hn::Iota(d, 0), hn::Set(d, Width)), hn::Zero(d));
  return hn::IfThenElse(lower,
                        hn::Or(hn::And(bits, low), hn::ShiftLeft<Width>(hn::And(others, low))),
                        hn::Or(hn::AndNot(low, bits), hn::And(hn::ShiftRight<Width>(others), low)));
}

template <std::size_t Width>
HWY_INLINE void exchange_bits(std::uint64_t* bits) {
  const WordTag d;
  constexpr std::uint64_t mask = ~std::uint64_t{0} / ((std::uint64_t{1} << Width) + 1);
  for (std::size_t k = 0; k < 64; k += word_lanes) {
    if constexpr (Width < word_lanes) {
      hn::Store(exchange_in_vector<Width>(hn::Load(d, bits + k), mask), d, bits + k);
    } else if ((k & Width) == 0) {
      const WordVector lower = hn::Load(d, bits + k);
      const WordVector upper = hn::Load(d, bits + k + Width);
      const WordVector changed =
          hn::And(hn::Xor(hn::ShiftRight<Width>(lower), upper), hn::Set(d, mask));
      hn::Store(hn::Xor(lower, hn::ShiftLeft<Width>(changed)), d, bits + k);
      hn::Store(hn::Xor(upper, changed), d, bits + k + Width);
    }
  }
}

// Turns 64 words of 64 bits: bit j of word i becomes bit i of word j. Aligned.
inline void transpose_words(std::uint64_t* bits) {
  exchange_bits<32>(bits);
  exchange_bits<16>(bits);
  exchange_bits<8>(bits);
  exchange_bits<4>(bits);
  exchange_bits<2>(bits);
  exchange_bits<1>(bits);
}

// The words of item's column that have rows, and memory for what grows from the item.
struct WordRows {
  std::uint32_t* word;
  std::uint8_t* shifts;
  std::size_t count;
};

inline void find_rows(const BitColumns& columns, std::size_t item, WordRows& rows) {
  rows.count = 0;
  for (std::size_t w = 0; w < columns.word_rows; ++w) {
    rows.word[rows.count] = static_cast<std::uint32_t>(w);
    rows.shifts[rows.count] = columns.shifts[w];
    rows.count += columns.words[w * columns.stride + item] != 0 ? 1 : 0;
  }
}

template <std::size_t Vectors>
void count_tile(const BitColumns& columns, std::size_t item, const WordRows& rows,
                std::size_t vector, std::uint64_t* counts) {
  const WordTag d;
  WordVector sums[Vectors];
  for (WordVector& s : sums) s = hn::Zero(d);
  for (std::size_t k = 0; k < rows.count; ++k) {
    const std::uint64_t* const row = columns.words + rows.word[k] * columns.stride;
    const WordVector with = hn::Set(d, row[item]);
    const int shift = rows.shifts[k];
    for (std::size_t j = 0; j < Vectors; ++j) {
      const WordVector both = hn::And(with, hn::Load(d, row + (vector + j) * word_lanes));
      sums[j] = hn::Add(sums[j], hn::ShiftLeftSame(hn::PopulationCount(both), shift));
    }
  }
  for (std::size_t j = 0; j < Vectors; ++j) {
    hn::Store(sums[j], d, counts + (vector + j) * word_lanes);
  }
}

// counts[j], for items before `end`: transactions with both.
inline void count_with(const BitColumns& columns, std::size_t item, std::size_t end,
                       const WordRows& rows, std::uint64_t* counts) {
  const std::size_t vectors = (end + word_lanes - 1) / word_lanes;
  for (std::size_t v = 0; v < vectors;) {
    if (vectors - v >= 4) {
      count_tile<4>(columns, item, rows, v, counts);
      v += 4;
    } else if (vectors - v >= 2) {
      count_tile<2>(columns, item, rows, v, counts);
      v += 2;
    } else {
      count_tile<1>(columns, item, rows, v, counts);
      v += 1;
    }
  }
}

// The rows of the item, in the columns before `end` that are kept.
// @param kept  a mask for each vector of items
inline const std::uint64_t* project(const BitColumns& columns, std::size_t item, std::size_t end,
                                    const WordRows& rows, const std::uint8_t* kept,
                                    std::size_t stride, WordStack& stack) {
  const WordTag d;
  std::uint64_t* const words = stack.words(rows.count * stride + word_lanes);
  for (std::size_t k = 0; k < rows.count; ++k) {
    const std::uint64_t* const row = columns.words + rows.word[k] * columns.stride;
    const WordVector with = hn::Set(d, row[item]);
    std::uint64_t* const to = words + k * stride;
    std::size_t at = 0;
    for (std::size_t first = 0; first < end; first += word_lanes) {
      at +=
          store_some(d, hn::And(with, hn::Load(d, row + first)), kept[first / word_lanes], to + at);
    }
    std::fill(to + at, to + stride, std::uint64_t{0});
  }
  return words;
}

// May some rows be equal? Hardly two are where rows have few of the items.
inline bool may_have_equal_rows(const BitColumns& columns, const Prefix& prefix) {
  std::uint64_t entries = 0;
  for (std::size_t i = 0; i < columns.items; ++i) entries += columns.supports[i];
  return entries >= std::uint64_t{prefix.support} * columns.items / 4;
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();
#endif
