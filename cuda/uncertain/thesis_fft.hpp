// cuFFT's functions, and plans of them. The library is looked for when the program runs, which so
// needs none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <map>
#include <tuple>

#include "cuda/device/handles.hpp"

namespace atl::cuda {

/// As cufft.h declares them, which not every installation of CUDA has. Results of 0 are successes.
struct FftLibrary {
  int (*create)(int* plan) = nullptr;
  int (*set_auto_allocation)(int plan, int automatic) = nullptr;
  int (*make_plan_many)(int plan, int rank, int* n, int* inembed, int istride, int idist,
                        int* onembed, int ostride, int odist, int type, int batch,
                        std::size_t* work_bytes) = nullptr;
  int (*set_work_area)(int plan, void* work) = nullptr;
  int (*set_stream)(int plan, cudaStream_t stream) = nullptr;
  int (*transform)(int plan, double* numbers, double2* spectra) = nullptr;  ///< cufftExecD2Z
  int (*invert)(int plan, double2* spectra, double* numbers) = nullptr;     ///< cufftExecZ2D
  int (*destroy)(int plan) = nullptr;
};

/// The libcufft.so.12, or else .11, that the system's loader finds. It stays loaded until the
/// program ends.
/// @throws BackendUnavailable if there is none, or a function is missing
FftLibrary load_fft();

/// Transforms of many distributions at once, of doubles. Plans are kept, and share the memory that
/// they work in. For the device that is current when it is made.
class FftPlans {
 public:
  /// @throws BackendUnavailable
  FftPlans() : library_(load_fft()) {}
  ~FftPlans();
  FftPlans(const FftPlans&) = delete;
  FftPlans& operator=(const FftPlans&) = delete;

  /// Makes the plans of a size and number of distributions, which takes milliseconds. Waits for the
  /// device where more memory is needed.
  /// @param pairs  of distributions @param size  numbers of each, a power of 2 from 4 on
  /// @throws BackendUnavailable if there is not enough memory
  void prepare(std::uint32_t size, std::uint32_t pairs);
  /// @pre prepare() was called with the same size and number. Asynchronous.
  /// @param distributions  [2 pairs][size] @param spectra  [2 pairs][size / 2 + 1] overwritten
  void transform(double* distributions, double2* spectra, std::uint32_t size, std::uint32_t pairs,
                 cudaStream_t stream);
  /// Every other one, from the first on; without dividing by the size.
  /// @param distributions  [pairs][2][size], the first of each overwritten
  void invert(double2* spectra, double* distributions, std::uint32_t size, std::uint32_t pairs,
              cudaStream_t stream);

 private:
  enum class Way : std::uint8_t { transform, invert };
  using Key = std::tuple<Way, std::uint32_t, std::uint32_t>;

  void make(Way way, std::uint32_t size, std::uint32_t pairs);
  int ready(Way way, std::uint32_t size, std::uint32_t pairs, cudaStream_t stream);
  void forget() noexcept;

  FftLibrary library_;
  std::map<Key, int> plans_;
  DeviceBuffer<unsigned char> work_;
};

}  // namespace atl::cuda
