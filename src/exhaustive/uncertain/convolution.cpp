// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/exhaustive/uncertain/convolution.hpp"

#include <algorithm>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/exhaustive/uncertain/convolution.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;

/// Four registers of sums at a time, to which all products are added before they are stored.
void convolve_here(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
                   std::size_t first, std::size_t size, double* out) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t width = 4 * lanes;
  for (std::size_t k = 0; k < size; k += width) {
    const std::size_t place = first + k;  // b[place - i] to b[place - i + width - 1]
    const std::size_t begin = place >= b_size ? place - b_size + 1 : 0;
    const std::size_t end = std::min(a_size, place + width);
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d), sum3 = hn::Zero(d);
    for (std::size_t i = begin; i < end; ++i) {
      const auto factor = hn::Set(d, a[i]);
      const double* const from =
          b + (static_cast<std::ptrdiff_t>(place) - static_cast<std::ptrdiff_t>(i));
      sum0 = hn::MulAdd(factor, hn::LoadU(d, from), sum0);
      sum1 = hn::MulAdd(factor, hn::LoadU(d, from + lanes), sum1);
      sum2 = hn::MulAdd(factor, hn::LoadU(d, from + 2 * lanes), sum2);
      sum3 = hn::MulAdd(factor, hn::LoadU(d, from + 3 * lanes), sum3);
    }
    hn::StoreU(sum0, d, out + k);
    hn::StoreU(sum1, d, out + k + lanes);
    hn::StoreU(sum2, d, out + k + 2 * lanes);
    hn::StoreU(sum3, d, out + k + 3 * lanes);
  }
}

/// Each lane has a part. With a transaction out[k] becomes out[k] (1 - p) + out[k - 1] p.
void distribute_here(const double* probabilities, SmallParts& scratch, double* out) {
  constexpr std::size_t parts = SmallParts::parts, rows = SmallParts::rows;
  const hn::CappedTag<double, parts> d;
  const std::size_t lanes = hn::Lanes(d);
  alignas(64) double turned[rows + 1][parts];
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t t = 0; t < rows; ++t) turned[t][part] = probabilities[part * rows + t];
  }
  for (std::size_t part = 0; part < parts; part += lanes) {
    alignas(64) double exist[rows + 1][parts] = {};
    hn::Store(hn::Set(d, 1.0), d, exist[0]);
    for (std::size_t t = 0; t < rows; ++t) {
      const auto exists = hn::Load(d, turned[t] + part);
      const auto not_exists = hn::Sub(hn::Set(d, 1.0), exists);
      for (std::size_t k = t + 1; k > 0; --k) {
        const auto with = hn::Mul(hn::Load(d, exist[k - 1]), exists);
        hn::Store(hn::MulAdd(hn::Load(d, exist[k]), not_exists, with), d, exist[k]);
      }
      hn::Store(hn::Mul(hn::Load(d, exist[0]), not_exists), d, exist[0]);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      double* const values = scratch.part(part + lane);
      for (std::size_t k = 0; k <= rows; ++k) values[k] = exist[k][lane];
    }
  }
  constexpr std::size_t one = rows + 1, two = 2 * rows + 1;
  for (std::size_t pair = 0; pair < 2; ++pair) {
    convolve_here(scratch.part(2 * pair), one, scratch.part(2 * pair + 1), one, 0, two,
                  scratch.part(parts + pair));
  }
  convolve_here(scratch.part(parts), two, scratch.part(parts + 1), two, 0, 4 * rows + 1, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(convolve_here);
HWY_EXPORT(distribute_here);

void convolve(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
              std::size_t first, std::size_t size, double* out) {
  HWY_DYNAMIC_DISPATCH(convolve_here)(a, a_size, b, b_size, first, size, out);
}

void distribute(const double* probabilities, SmallParts& scratch, double* out) {
  HWY_DYNAMIC_DISPATCH(distribute_here)(probabilities, scratch, out);
}

}  // namespace atl
#endif
