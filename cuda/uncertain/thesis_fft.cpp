#include "cuda/uncertain/thesis_fft.hpp"

#include <dlfcn.h>
#include <string>

#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

constexpr std::size_t longest_text = 300;
constexpr std::size_t most_plans = 800;                              // cuFFT has room for 1023
constexpr int doubles_to_spectra = 0x6a, spectra_to_doubles = 0x6c;  // CUFFT_D2Z, CUFFT_Z2D

/// @throws BackendUnavailable
void expect_success(int result, const char* what) {
  if (result == 0) return;
  throw BackendUnavailable(
      "cuda", std::string("cuFFT: ") + what + " ends with error " + std::to_string(result));
}

void* open_library() {
  for (const char* const file : {"libcufft.so.12", "libcufft.so.11"}) {
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library != nullptr) return library;
  }
  throw BackendUnavailable("cuda", "cuFFT was not found: " + printable(dlerror(), longest_text));
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw BackendUnavailable("cuda", std::string("cuFFT has no function ") + name);
  }
}

}  // namespace

FftLibrary load_fft() {
  void* const library = open_library();
  FftLibrary fft;
  find(library, "cufftCreate", fft.create);
  find(library, "cufftSetAutoAllocation", fft.set_auto_allocation);
  find(library, "cufftMakePlanMany", fft.make_plan_many);
  find(library, "cufftSetWorkArea", fft.set_work_area);
  find(library, "cufftSetStream", fft.set_stream);
  find(library, "cufftExecD2Z", fft.transform);
  find(library, "cufftExecZ2D", fft.invert);
  find(library, "cufftDestroy", fft.destroy);
  return fft;
}

FftPlans::~FftPlans() {
  forget();
}

void FftPlans::forget() noexcept {
  for (const auto& [key, plan] : plans_) library_.destroy(plan);
  plans_.clear();
}

void FftPlans::prepare(std::uint32_t size, std::uint32_t pairs) {
  if (plans_.size() + 2 > most_plans) {
    check(cudaDeviceSynchronize());  // a plan may be at work
    forget();
  }
  make(Way::transform, size, pairs);
  make(Way::invert, size, pairs);
}

void FftPlans::make(Way way, std::uint32_t size, std::uint32_t pairs) {
  const Key key{way, size, pairs};
  if (plans_.contains(key)) return;
  const int numbers = static_cast<int>(size), spectrum = numbers / 2 + 1;
  const int count = static_cast<int>(pairs);
  int n[] = {numbers}, of_numbers[] = {numbers}, of_spectra[] = {spectrum};
  int plan = 0;
  std::size_t bytes = 0;
  expect_success(library_.create(&plan), "making a plan");
  int result = library_.set_auto_allocation(plan, 0);
  if (result == 0 && way == Way::transform) {
    result = library_.make_plan_many(plan, 1, n, of_numbers, 1, numbers, of_spectra, 1, spectrum,
                                     doubles_to_spectra, 2 * count, &bytes);
  } else if (result == 0) {
    result = library_.make_plan_many(plan, 1, n, of_spectra, 1, 2 * spectrum, of_numbers, 1,
                                     2 * numbers, spectra_to_doubles, count, &bytes);
  }
  if (result != 0) library_.destroy(plan);
  expect_success(result, "making a plan");
  plans_.emplace(key, plan);
  work_.reserve(bytes);
}

int FftPlans::ready(Way way, std::uint32_t size, std::uint32_t pairs, cudaStream_t stream) {
  const int plan = plans_.at({way, size, pairs});
  expect_success(library_.set_work_area(plan, work_.data()), "lending memory");
  expect_success(library_.set_stream(plan, stream), "choosing a stream");
  return plan;
}

void FftPlans::transform(double* distributions, double2* spectra, std::uint32_t size,
                         std::uint32_t pairs, cudaStream_t stream) {
  const int plan = ready(Way::transform, size, pairs, stream);
  expect_success(library_.transform(plan, distributions, spectra), "a transform");
}

void FftPlans::invert(double2* spectra, double* distributions, std::uint32_t size,
                      std::uint32_t pairs, cudaStream_t stream) {
  const int plan = ready(Way::invert, size, pairs, stream);
  expect_success(library_.invert(plan, spectra, distributions), "an inverse transform");
}

}  // namespace atl::cuda
