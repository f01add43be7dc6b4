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

/// From the last value to the first, as each needs the one before it as it was.
void add_transaction_here(double* out, std::size_t size, double p) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const auto exists = hn::Set(d, p);
  const auto not_exists = hn::Set(d, 1 - p);
  for (std::size_t k = size / lanes * lanes + lanes; k > 0;) {
    k -= lanes;
    const auto with = hn::Mul(hn::LoadU(d, out + k - 1), exists);
    hn::StoreU(hn::MulAdd(hn::LoadU(d, out + k), not_exists, with), d, out + k);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(convolve_here);
HWY_EXPORT(add_transaction_here);

void convolve(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
              std::size_t first, std::size_t size, double* out) {
  HWY_DYNAMIC_DISPATCH(convolve_here)(a, a_size, b, b_size, first, size, out);
}

void add_transaction(double* out, std::size_t size, double p) {
  HWY_DYNAMIC_DISPATCH(add_transaction_here)(out, size, p);
}

}  // namespace atl
#endif
