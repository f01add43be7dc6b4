// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/exhaustive/uncertain/masked_sums.hpp"

#include <bit>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/exhaustive/uncertain/masked_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// All 64 rows at once: each lane tests its bit.
void add_word(std::uint64_t word, const std::uint64_t* means, const std::uint64_t* variances,
              FixedMoments& sums) {
  const hn::CappedTag<std::uint64_t, 8> lanes;
  const std::size_t step = hn::Lanes(lanes);
  alignas(64) static constexpr std::uint64_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  const auto its_bit = hn::Load(lanes, bits);
  auto mean = hn::Zero(lanes), variance = hn::Zero(lanes);
  for (std::size_t row = 0; row < 64; row += step) {
    const auto has = hn::TestBit(hn::Set(lanes, word >> row), its_bit);
    mean = hn::Add(mean, hn::IfThenElseZero(has, hn::LoadU(lanes, means + row)));
    variance = hn::Add(variance, hn::IfThenElseZero(has, hn::LoadU(lanes, variances + row)));
  }
  sums.mean += hn::GetLane(hn::SumOfLanes(lanes, mean));
  sums.variance += hn::GetLane(hn::SumOfLanes(lanes, variance));
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(add_word);

void add_masked(std::uint64_t word, const std::uint64_t* means, const std::uint64_t* variances,
                FixedMoments& sums) {
  constexpr int few = 12;  // bits, which are looked up one by one
  if (std::popcount(word) > few)
    return HWY_DYNAMIC_DISPATCH(add_word)(word, means, variances, sums);
  for (; word != 0; word &= word - 1) {
    const int row = std::countr_zero(word);
    sums.mean += means[row];
    sums.variance += variances[row];
  }
}

}  // namespace atl
#endif
