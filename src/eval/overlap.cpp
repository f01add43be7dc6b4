// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/eval/overlap.hpp"

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/eval/overlap.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

Overlap count_overlap(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  auto both = hn::Zero(tag);
  auto either = hn::Zero(tag);
  std::size_t w = 0;
  for (; w + lanes <= words; w += lanes) {
    const auto x = hn::LoadU(tag, a + w);
    const auto y = hn::LoadU(tag, b + w);
    both = hn::Add(both, hn::PopulationCount(hn::And(x, y)));
    either = hn::Add(either, hn::PopulationCount(hn::Or(x, y)));
  }
  Overlap sum{hn::GetLane(hn::SumOfLanes(tag, both)), hn::GetLane(hn::SumOfLanes(tag, either))};
  for (; w < words; ++w) {
    sum.both += hwy::PopCount(a[w] & b[w]);
    sum.either += hwy::PopCount(a[w] | b[w]);
  }
  return sum;
}

void count_overlaps(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* sets,
                    std::span<const std::uint32_t> which, std::size_t words, std::uint32_t* in_a,
                    std::uint32_t* in_b) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::uint64_t* const set = sets + which[i] * words;
    auto of_a = hn::Zero(tag);
    auto of_b = hn::Zero(tag);
    std::size_t w = 0;
    for (; w + lanes <= words; w += lanes) {
      const auto bits = hn::LoadU(tag, set + w);
      of_a = hn::Add(of_a, hn::PopulationCount(hn::And(bits, hn::LoadU(tag, a + w))));
      of_b = hn::Add(of_b, hn::PopulationCount(hn::And(bits, hn::LoadU(tag, b + w))));
    }
    std::uint64_t sum_a = hn::GetLane(hn::SumOfLanes(tag, of_a));
    std::uint64_t sum_b = hn::GetLane(hn::SumOfLanes(tag, of_b));
    for (; w < words; ++w) {
      sum_a += hwy::PopCount(set[w] & a[w]);
      sum_b += hwy::PopCount(set[w] & b[w]);
    }
    in_a[i] = static_cast<std::uint32_t>(sum_a);
    in_b[i] = static_cast<std::uint32_t>(sum_b);
  }
}

std::size_t find_common(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
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

HWY_EXPORT(count_overlap);
HWY_EXPORT(count_overlaps);
HWY_EXPORT(find_common);

Overlap overlap(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) noexcept {
  return HWY_DYNAMIC_DISPATCH(count_overlap)(a, b, words);
}

void overlaps(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* sets,
              std::span<const std::uint32_t> which, std::size_t words, std::uint32_t* in_a,
              std::uint32_t* in_b) noexcept {
  HWY_DYNAMIC_DISPATCH(count_overlaps)(a, b, sets, which, words, in_a, in_b);
}

std::size_t nth_common(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                       std::uint64_t skip) noexcept {
  return HWY_DYNAMIC_DISPATCH(find_common)(a, b, words, skip);
}

}  // namespace atl
#endif
