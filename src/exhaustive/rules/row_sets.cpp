// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/exhaustive/rules/row_sets.hpp"

// Without it there is no vpopcntq.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/exhaustive/rules/row_sets.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
// At most the 8 words that the number of words is a multiple of.
using Lanes = hn::CappedTag<std::uint64_t, 8>;

std::uint64_t count_common(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  const Lanes lanes;
  auto total = hn::Zero(lanes);
  for (std::size_t i = 0; i < words; i += hn::Lanes(lanes)) {
    total = hn::Add(total,
                    hn::PopulationCount(hn::And(hn::Load(lanes, a + i), hn::Load(lanes, b + i))));
  }
  return hn::GetLane(hn::SumOfLanes(lanes, total));
}

std::uint64_t intersect(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                        std::uint64_t* out) {
  const Lanes lanes;
  auto total = hn::Zero(lanes);
  for (std::size_t i = 0; i < words; i += hn::Lanes(lanes)) {
    const auto both = hn::And(hn::Load(lanes, a + i), hn::Load(lanes, b + i));
    hn::Store(both, lanes, out + i);
    total = hn::Add(total, hn::PopulationCount(both));
  }
  return hn::GetLane(hn::SumOfLanes(lanes, total));
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(count_common);
HWY_EXPORT(intersect);

std::uint64_t count_common(const std::uint64_t* a, const std::uint64_t* b,
                           std::size_t words) noexcept {
  return HWY_DYNAMIC_DISPATCH(count_common)(a, b, words);
}

std::uint64_t intersect(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                        std::uint64_t* out) noexcept {
  return HWY_DYNAMIC_DISPATCH(intersect)(a, b, words, out);
}

}  // namespace atl
#endif
