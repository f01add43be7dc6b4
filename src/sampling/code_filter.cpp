// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/sampling/code_filter.hpp"

#include <cstdint>
#include <cstring>

#include "src/core/bit_places.hpp"

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/sampling/code_filter.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename Code>
void filter_codes(const CodeFilter<Code>& comparison, const Code* codes, std::uint64_t* rows) {
  const hn::ScalableTag<Code> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto low = hn::Set(tag, comparison.low);
  const auto width = hn::Set(tag, static_cast<Code>(comparison.high - comparison.low));
  const auto missing = hn::Set(tag, comparison.missing);
  const auto holds = [&](const Code* at) {
    const auto code = hn::LoadU(tag, at);
    const auto inside = hn::Not(hn::Gt(hn::Sub(code, low), width));
    return comparison.negated ? hn::Not(hn::Or(inside, hn::Eq(code, missing))) : inside;
  };
  for (std::size_t word = 0; word < filter_rows / 64; ++word) {
    std::uint64_t bits = 0;
    for (std::size_t row = 0; row < 64; row += lanes) {
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(tag, holds(codes + word * 64 + row), bytes);
      std::uint64_t some;
      std::memcpy(&some, bytes, sizeof some);
      bits |= some << row;
    }
    rows[word] &= bits;
  }
}

#if HWY_TARGET <= HWY_AVX3_DL
/// Lists the rows of a word, whose numbers are compressed as bytes. There is no branch for up to 16
/// of them: which way it goes would be chance.
/// @param first  the word's first row, doubled
void list_word(std::uint64_t rows, std::uint64_t marked, std::uint32_t first, std::uint32_t* out) {
  const hn::CappedTag<std::uint8_t, 64> tag;
  const hn::CappedTag<std::uint32_t, 16> wide;
  const hn::Rebind<std::uint8_t, decltype(wide)> part;
  const auto mask = [&](std::uint64_t bits) {
    std::uint8_t bytes[8];
    std::memcpy(bytes, &bits, sizeof bytes);
    return hn::LoadMaskBits(tag, bytes);
  };
  const auto number = hn::Iota(tag, std::uint8_t{0});
  const auto mark = hn::IfThenElseZero(mask(marked), hn::Set(tag, std::uint8_t{1}));
  HWY_ALIGN std::uint8_t listed[64];
  hn::Store(hn::Compress(hn::Or(hn::Add(number, number), mark), mask(rows)), tag, listed);
  const std::size_t count = hwy::PopCount(rows);
  std::size_t i = 0;
  do {
    const auto some = hn::PromoteTo(wide, hn::Load(part, listed + i));
    hn::StoreU(hn::Add(some, hn::Set(wide, first)), wide, out + i);
    i += hn::Lanes(wide);
  } while (i < count);
}
#else
/// Lists the rows of a word: a few one by one, more of them eight bits at a time, whose places are
/// looked up. There is no branch for each bit, as which way it goes would be chance.
void list_word(std::uint64_t rows, std::uint64_t marked, std::uint32_t first, std::uint32_t* out) {
  constexpr std::size_t few = 4;
  if (hwy::PopCount(rows) < few) {
    for (; rows != 0; rows &= rows - 1) {
      const auto row = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(rows));
      *out++ = first + row * 2 + static_cast<std::uint32_t>(marked >> row & 1);
    }
    return;
  }
  const hn::CappedTag<std::uint32_t, 8> tag;
  const hn::Rebind<std::uint8_t, decltype(tag)> part;
  const auto one = hn::Set(tag, 1);
  for (std::size_t row = 0; row < 64; row += 8) {
    const std::size_t bits = rows >> row & 0xFF;
    const auto* const places = reinterpret_cast<const std::uint8_t*>(&bit_places.of[bits]);
    const auto marks = hn::Set(tag, static_cast<std::uint32_t>(marked >> row & 0xFF));
    const auto base = hn::Set(tag, first + static_cast<std::uint32_t>(2 * row));
    for (std::size_t i = 0; i < 8; i += hn::Lanes(tag)) {
      const auto place = hn::PromoteTo(tag, hn::LoadU(part, places + i));
      const auto mark = hn::And(hn::Shr(marks, place), one);
      hn::StoreU(hn::Add(hn::Add(base, mark), hn::Add(place, place)), tag, out + i);
    }
    out += hwy::PopCount(bits);
  }
}
#endif

ListedRows list_marked(const std::uint64_t* rows, const std::uint64_t* marked, std::uint32_t first,
                       std::uint32_t* out) {
  ListedRows listed{0, 0};
  for (std::size_t word = 0; word < filter_rows / 64; ++word) {
    list_word(rows[word], marked[word], (first + static_cast<std::uint32_t>(word * 64)) * 2,
              out + listed.rows);
    listed.rows += hwy::PopCount(rows[word]);
    listed.marked += hwy::PopCount(marked[word]);
  }
  return listed;
}

void filter_8(const CodeFilter<std::uint8_t>& comparison, const std::uint8_t* codes,
              std::uint64_t* rows) {
  filter_codes(comparison, codes, rows);
}
void filter_16(const CodeFilter<std::uint16_t>& comparison, const std::uint16_t* codes,
               std::uint64_t* rows) {
  filter_codes(comparison, codes, rows);
}
void filter_32(const CodeFilter<std::uint32_t>& comparison, const std::uint32_t* codes,
               std::uint64_t* rows) {
  filter_codes(comparison, codes, rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(list_marked);
HWY_EXPORT(filter_8);
HWY_EXPORT(filter_16);
HWY_EXPORT(filter_32);

void filter(const CodeFilter<std::uint8_t>& comparison, const std::uint8_t* codes,
            std::uint64_t* rows) noexcept {
  HWY_DYNAMIC_DISPATCH(filter_8)(comparison, codes, rows);
}

void filter(const CodeFilter<std::uint16_t>& comparison, const std::uint16_t* codes,
            std::uint64_t* rows) noexcept {
  HWY_DYNAMIC_DISPATCH(filter_16)(comparison, codes, rows);
}

void filter(const CodeFilter<std::uint32_t>& comparison, const std::uint32_t* codes,
            std::uint64_t* rows) noexcept {
  HWY_DYNAMIC_DISPATCH(filter_32)(comparison, codes, rows);
}

ListedRows list_rows(const std::uint64_t* rows, const std::uint64_t* marked, std::uint32_t first,
                     std::uint32_t* out) noexcept {
  return HWY_DYNAMIC_DISPATCH(list_marked)(rows, marked, first, out);
}

}  // namespace atl
#endif
