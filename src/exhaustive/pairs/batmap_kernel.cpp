// Compiled once for each instruction set; one of them is chosen when the program runs.
#include <bit>
#include <cstring>

#include "src/exhaustive/pairs/batmap.hpp"

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/exhaustive/pairs/batmap_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // which has one lane

/// The formula of batmap.hpp, word by word.
std::uint64_t count_common_here(const std::uint8_t* wide, std::size_t wide_size,
                                const std::uint8_t* small, std::size_t small_size) {
  std::uint64_t common = 0;
  for (std::size_t first = 0; first < wide_size; first += small_size) {
    for (std::size_t at = 0; at < small_size; at += 4) {
      std::uint32_t x = 0, y = 0;
      std::memcpy(&x, wide + first + at, sizeof x);
      std::memcpy(&y, small + at, sizeof y);
      common += static_cast<std::uint64_t>(std::popcount(common_entries(x, y)));
    }
  }
  return common;
}

#else

/// The formula of batmap.hpp on lanes of a byte each. What counts is added up in bytes, as often as
/// these can hold, and then in words.
/// @param small_size  a multiple of 64, which divides wide_size
std::uint64_t count_common_here(const std::uint8_t* wide, std::size_t wide_size,
                                const std::uint8_t* small, std::size_t small_size) {
  const hn::CappedTag<std::uint8_t, 64> bytes;
  const hn::Repartition<std::uint16_t, decltype(bytes)> pairs;
  const hn::Repartition<std::uint64_t, decltype(bytes)> words;
  const std::size_t lanes = hn::Lanes(bytes);
  const auto codes = hn::Set(bytes, batmap_code);
  const auto indicators = hn::Set(bytes, batmap_indicator);
  // Each step adds at most 1 to a byte.
  const std::size_t most = 255 * lanes;
  auto sum = hn::Zero(words);
  for (std::size_t first = 0; first < wide_size; first += small_size) {
    for (std::size_t part = 0; part < small_size; part += most) {
      const std::size_t end = part + most < small_size ? part + most : small_size;
      auto counts = hn::Zero(bytes);
      for (std::size_t at = part; at < end; at += lanes) {
        const auto x = hn::LoadU(bytes, wide + first + at);
        const auto y = hn::LoadU(bytes, small + at);
        const auto differ = hn::Add(hn::And(hn::Xor(x, y), codes), codes);
        const auto common = hn::And(hn::AndNot(differ, hn::Or(x, y)), indicators);
        // Of a byte the top bit alone is set, so that none leaves it for the other's.
        const auto ones = hn::ShiftRight<7>(hn::BitCast(pairs, common));
        counts = hn::Add(counts, hn::BitCast(bytes, ones));
      }
      sum = hn::Add(sum, hn::SumsOf8(counts));
    }
  }
  return hn::GetLane(hn::SumOfLanes(words, sum));
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {
namespace {
HWY_EXPORT(count_common_here);
}  // namespace

std::uint64_t count_common(std::span<const std::uint8_t> wide,
                           std::span<const std::uint8_t> small) noexcept {
  return HWY_DYNAMIC_DISPATCH(count_common_here)(wide.data(), wide.size(), small.data(),
                                                 small.size());
}

}  // namespace atl
#endif
