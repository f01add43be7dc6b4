// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/sampling/common_bits.hpp"

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/sampling/common_bits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t count(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  auto even = hn::Zero(tag);
  auto odd = hn::Zero(tag);
  std::size_t w = 0;
  for (; w + 2 * lanes <= words; w += 2 * lanes) {
    const auto first = hn::And(hn::LoadU(tag, a + w), hn::LoadU(tag, b + w));
    const auto second = hn::And(hn::LoadU(tag, a + w + lanes), hn::LoadU(tag, b + w + lanes));
    even = hn::Add(even, hn::PopulationCount(first));
    odd = hn::Add(odd, hn::PopulationCount(second));
  }
  std::uint64_t sum = hn::GetLane(hn::SumOfLanes(tag, hn::Add(even, odd)));
  for (; w < words; ++w) sum += hwy::PopCount(a[w] & b[w]);
  return sum;
}

void restrict_to(std::uint64_t* a, const std::uint64_t* with, const std::uint64_t* without,
                 std::size_t words) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t w = 0;
  if (without == nullptr) {
    for (; w + lanes <= words; w += lanes) {
      hn::StoreU(hn::And(hn::LoadU(tag, a + w), hn::LoadU(tag, with + w)), tag, a + w);
    }
    for (; w < words; ++w) a[w] &= with[w];
    return;
  }
  for (; w + lanes <= words; w += lanes) {
    const auto kept = hn::AndNot(hn::LoadU(tag, without + w), hn::LoadU(tag, with + w));
    hn::StoreU(hn::And(hn::LoadU(tag, a + w), kept), tag, a + w);
  }
  for (; w < words; ++w) a[w] &= with[w] & ~without[w];
}

std::size_t find(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                 std::uint64_t skip) {
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t bits = a[w] & b[w];
    const std::uint64_t here = hwy::PopCount(bits);
    if (skip >= here) {
      skip -= here;
      continue;
    }
    for (; skip > 0; --skip) bits &= bits - 1;
    return w * 64 + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits);
  }
  return words * 64;
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(count);
HWY_EXPORT(restrict_to);
HWY_EXPORT(find);

std::uint64_t common_bits(const std::uint64_t* a, const std::uint64_t* b,
                          std::size_t words) noexcept {
  return HWY_DYNAMIC_DISPATCH(count)(a, b, words);
}

void restrict_bits(std::uint64_t* a, const std::uint64_t* with, const std::uint64_t* without,
                   std::size_t words) noexcept {
  HWY_DYNAMIC_DISPATCH(restrict_to)(a, with, without, words);
}

std::size_t nth_common_bit(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                           std::uint64_t skip) noexcept {
  return HWY_DYNAMIC_DISPATCH(find)(a, b, words, skip);
}

}  // namespace atl
#endif
