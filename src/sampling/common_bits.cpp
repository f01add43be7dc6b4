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

void intersect(const BitRange* ranges, std::size_t count, std::uint64_t* out, std::size_t words) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t w = 0;
  for (; w + lanes <= words; w += lanes) {
    const auto range = [&](std::size_t r) HWY_ATTR {
      return hn::AndNot(hn::LoadU(tag, ranges[r].without + w), hn::LoadU(tag, ranges[r].with + w));
    };
    auto all = range(0);
    for (std::size_t r = 1; r < count; ++r) all = hn::And(all, range(r));
    hn::StoreU(all, tag, out + w);
  }
  for (; w < words; ++w) {
    out[w] = ranges[0].with[w] & ~ranges[0].without[w];
    for (std::size_t r = 1; r < count; ++r) out[w] &= ranges[r].with[w] & ~ranges[r].without[w];
  }
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
HWY_EXPORT(intersect);
HWY_EXPORT(find);

std::uint64_t common_bits(const std::uint64_t* a, const std::uint64_t* b,
                          std::size_t words) noexcept {
  return HWY_DYNAMIC_DISPATCH(count)(a, b, words);
}

void intersect_bits(std::span<const BitRange> ranges, std::uint64_t* out,
                    std::size_t words) noexcept {
  HWY_DYNAMIC_DISPATCH(intersect)(ranges.data(), ranges.size(), out, words);
}

std::size_t nth_common_bit(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                           std::uint64_t skip) noexcept {
  return HWY_DYNAMIC_DISPATCH(find)(a, b, words, skip);
}

}  // namespace atl
#endif
