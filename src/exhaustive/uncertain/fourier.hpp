// Convolution by the fast Fourier transform.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace atl {

/// Transforms of one thread at a time, with their memory. All threads share plans, one for each
/// length. FFTW chooses them by estimate, so that results do not depend on times that it measures.
class Fourier {
 public:
  Fourier();
  ~Fourier();
  Fourier(Fourier&&) noexcept;
  Fourier& operator=(Fourier&&) noexcept;

  /// As convolve() of convolution.hpp, but arrays need no room before and behind. Values that are
  /// below 0 by rounding become 0. The error of each value is some 2^-52 log2(n) |a| |b|, where n
  /// is the length of the transform and |a| the root of the sum of squares (Schatzman 1996,
  /// "Accuracy of the discrete Fourier transform and the fast Fourier transform").
  void convolve(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
                std::size_t first, std::size_t size, double* out);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace atl
