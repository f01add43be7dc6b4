// Convolution of distributions of numbers of transactions, some counts for each thread.
#pragma once

#include <cstdint>

#include "cuda/host/tail_window.hpp"
#include "cuda/uncertain/uncertain_kernels.hpp"

namespace atl::cuda {

/// Counts of a thread. They are odd so that threads side by side read from other banks.
inline constexpr int thread_counts = 9;

/// Adds a[i] b[first + c - i] over all i to sums[c], in the order of i. All multiplications with
/// additions are fused.
/// @param a, b   [a_width], [b_width] 0 outside
__device__ __forceinline__ void add_products(const double* a, int a_width, const double* b,
                                             int b_width, int first,
                                             double (&sums)[thread_counts]) {
  const int begin = max(0, first - (b_width - 1));
  const int end = min(a_width, first + thread_counts);
  const auto b_at = [&](int at) {
    return static_cast<unsigned>(at) < static_cast<unsigned>(b_width) ? b[at] : 0.0;
  };
  // b[first + c - i] is in place (c - i + begin) modulo thread_counts: each step replaces one.
  double held[thread_counts];
#pragma unroll
  for (int c = 1; c < thread_counts; ++c) held[c] = b_at(first + c - begin);
  for (int i = begin; i < end; i += thread_counts) {
#pragma unroll
    for (int step = 0; step < thread_counts; ++step) {
      const double factor = i + step < end ? a[i + step] : 0.0;
      held[(thread_counts - step) % thread_counts] = b_at(first - i - step);
#pragma unroll
      for (int c = 0; c < thread_counts; ++c)
        sums[c] = fma(factor, held[(thread_counts - step + c) % thread_counts], sums[c]);
    }
  }
}

/// The distribution of the rows of two.
__device__ inline TailNode joined(const TailNode& a, const TailNode& b, double exponent) {
  const double mean = a.mean + b.mean, variance = a.variance + b.variance;
  const CountWindow window = count_window(mean, variance, exponent, a.low + b.low,
                                          (a.low + a.width - 1) + (b.low + b.width - 1));
  return {mean, variance, window.low, window.width};
}

/// The distribution of no rows.
__device__ inline TailNode of_no_rows() {
  return {0, 0, 0, 1};
}

}  // namespace atl::cuda
