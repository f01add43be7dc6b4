#include "src/exhaustive/uncertain/fourier.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include <fftw3.h>

namespace atl {
namespace {

struct Plans {
  fftw_plan forward = nullptr, backward = nullptr;
};

/// The least length of at least `needed` that has only factors 2 and at most one 3 or 5.
std::size_t transform_length(std::size_t needed) {
  std::size_t best = 1;
  while (best < needed) best *= 2;
  for (const std::size_t factor : {3U, 5U}) {
    std::size_t length = factor * 2;
    while (length < needed) length *= 2;
    best = std::min(best, length);
  }
  return best;
}

struct FreeTransform {
  void operator()(void* memory) const noexcept { fftw_free(memory); }
};
using Real = std::unique_ptr<double, FreeTransform>;
using Complex = std::unique_ptr<fftw_complex, FreeTransform>;

Real real(std::size_t size) {
  Real memory(fftw_alloc_real(size));
  if (!memory) throw std::bad_alloc();
  return memory;
}

Complex complex(std::size_t size) {
  Complex memory(fftw_alloc_complex(size));
  if (!memory) throw std::bad_alloc();
  return memory;
}

/// The library makes plans for one thread at a time. They are kept to the end of the program.
Plans plans_of(std::size_t length) {
  static std::mutex mutex;
  static std::map<std::size_t, Plans> made;
  const std::lock_guard lock(mutex);
  Plans& plans = made[length];
  if (plans.forward == nullptr) {
    const Real in = real(length);
    const Complex out = complex(length / 2 + 1);
    const int n = static_cast<int>(length);
    plans.forward = fftw_plan_dft_r2c_1d(n, in.get(), out.get(), FFTW_ESTIMATE);
    plans.backward = fftw_plan_dft_c2r_1d(n, out.get(), in.get(), FFTW_ESTIMATE);
  }
  return plans;
}

void fill(double* to, const double* from, std::size_t size, std::size_t length) {
  std::copy_n(from, size, to);
  std::fill(to + size, to + length, 0.0);
}

}  // namespace

struct Fourier::Memory {
  std::size_t length = 0;
  std::map<std::size_t, Plans> plans;
  Real values;
  Complex a, b;

  void make_room(std::size_t needed) {
    if (needed <= length) return;
    length = needed;
    values = real(length);
    a = complex(length / 2 + 1);
    b = complex(length / 2 + 1);
  }
  const Plans& of(std::size_t needed) {
    const auto [found, is_new] = plans.try_emplace(needed);
    if (is_new) found->second = plans_of(needed);
    return found->second;
  }
};

Fourier::Fourier() : memory_(std::make_unique<Memory>()) {}
Fourier::~Fourier() = default;
Fourier::Fourier(Fourier&&) noexcept = default;
Fourier& Fourier::operator=(Fourier&&) noexcept = default;

void Fourier::convolve(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
                       std::size_t first, std::size_t size, double* out) {
  const std::size_t length = transform_length(a_size + b_size - 1);
  Memory& memory = *memory_;
  memory.make_room(length);
  const Plans& plans = memory.of(length);
  double* const values = memory.values.get();
  fill(values, a, a_size, length);
  fftw_execute_dft_r2c(plans.forward, values, memory.a.get());
  fill(values, b, b_size, length);
  fftw_execute_dft_r2c(plans.forward, values, memory.b.get());
  const double scale = 1 / static_cast<double>(length);
  for (std::size_t i = 0; i <= length / 2; ++i) {
    const fftw_complex& x = memory.a.get()[i];
    fftw_complex& y = memory.b.get()[i];
    const double re = x[0] * y[0] - x[1] * y[1];
    y[1] = (x[0] * y[1] + x[1] * y[0]) * scale;
    y[0] = re * scale;
  }
  fftw_execute_dft_c2r(plans.backward, memory.b.get(), values);
  for (std::size_t k = 0; k < size; ++k) out[k] = std::max(0.0, values[first + k]);
}

}  // namespace atl
