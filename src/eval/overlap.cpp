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

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(count_overlap);

Overlap overlap(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) noexcept {
  return HWY_DYNAMIC_DISPATCH(count_overlap)(a, b, words);
}

}  // namespace atl
#endif
