// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/sampling/reach.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/sampling/reach.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, reach_lanes>;
using Numbers = hn::RebindToUnsigned<Floats>;

template <typename Within>
void mark(std::size_t count, std::uint64_t* out, const Within& within) {
  const Floats floats;
  const std::size_t lanes = hn::Lanes(floats);
  for (std::size_t word = 0; word * 64 < count; ++word) {
    std::uint64_t bits = 0;
    const std::size_t end = HWY_MIN(count - word * 64, 64);
    for (std::size_t i = 0; i < end; i += lanes) {
      std::uint8_t some[8] = {};
      hn::StoreMaskBits(floats, within(word * 64 + i), some);
      bits |= (std::uint64_t{some[0]} | std::uint64_t{some[1]} << 8) << i;
    }
    out[word] = bits;
  }
}

void of_sets(const Reach& reach, const float* rows, const std::uint16_t* common, std::size_t count,
             std::uint64_t* out) {
  const Floats floats;
  const Numbers numbers;
  const hn::Rebind<std::uint16_t, Floats> shorts;
  const auto own = hn::Set(floats, reach.rows);
  const auto least = hn::Set(floats, reach.least * (1 - 1e-5F));
  mark(count, out, [&](std::size_t i) {
    const auto other = hn::LoadU(floats, rows + i);
    auto both = hn::Min(own, other);
    if (common != nullptr) {
      const auto known = hn::PromoteTo(numbers, hn::LoadU(shorts, common + i));
      both = hn::Min(both, hn::ConvertTo(floats, hn::BitCast(hn::RebindToSigned<Floats>(), known)));
    }
    return hn::Ge(both, hn::Mul(least, hn::Sub(hn::Add(own, other), both)));
  });
}

void of_members(const Reach& reach, const float* rows, const float* factors, std::size_t count,
                std::uint64_t* out) {
  const Floats floats;
  const auto own = hn::Set(floats, reach.rows);
  const auto least = hn::Set(floats, reach.least * (1 - 1e-5F));
  mark(count, out, [&](std::size_t i) {
    const auto other = hn::LoadU(floats, rows + i);
    const auto factor = hn::LoadU(floats, factors + i);
    return hn::Ge(hn::Mul(hn::Min(own, other), factor), hn::Mul(hn::Max(own, other), least));
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(of_sets);
HWY_EXPORT(of_members);

void sets_within(const Reach& reach, const float* rows, const std::uint16_t* common,
                 std::size_t count, std::uint64_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(of_sets)(reach, rows, common, count, out);
}

void members_within(const Reach& reach, const float* rows, const float* factors, std::size_t count,
                    std::uint64_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(of_members)(reach, rows, factors, count, out);
}

}  // namespace atl
#endif
