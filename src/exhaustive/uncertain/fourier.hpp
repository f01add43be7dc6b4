// Convolution by the fast Fourier transform.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace atl {

/// Memory of one thread. The plans of transforms, one for each length, are of all threads; they are
/// made by estimate, so that results do not depend on a timing.
class Fourier {
 public:
  Fourier();
  ~Fourier();
  Fourier(Fourier&&) noexcept;
  Fourier& operator=(Fourier&&) noexcept;

  /// As convolve() of convolution.hpp, without room before and behind. The error of each value is
  /// at most 2^-52 log2(n) |a| |b| or so, n the length of the transform, |a| the root of the sum of
  /// squares (Schatzman 1996, "Accuracy of the discrete Fourier transform and the fast Fourier
  /// transform"). Values of distributions come out at 0 or more.
  void convolve(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
                std::size_t first, std::size_t size, double* out);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace atl
