#include "cuda/device/visible_devices.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "cuda/device/handles.hpp"
#include "cuda/device/probe.hpp"
#include "cuda/host/reasons.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string pci_bus_id(int device) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device));
  std::string id(text.data());
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return id;
}

}  // namespace

std::vector<VisibleDevice> visible_devices() {
  int driver = 0, runtime = 0, count = 0;
  check(cudaRuntimeGetVersion(&runtime));
  check(cudaDriverGetVersion(&driver));
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorInsufficientDriver) {
    throw BackendUnavailable("cuda", driver_reason(driver, runtime));
  }
  if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0)) {
    throw BackendUnavailable("cuda", no_device_reason(std::getenv("CUDA_VISIBLE_DEVICES")));
  }
  check(error);
  std::vector<VisibleDevice> devices;
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, number));
    devices.push_back({number, properties.name, uuid_text(properties.uuid), pci_bus_id(number),
                       properties.totalGlobalMem,
                       std::to_string(properties.major) + "." + std::to_string(properties.minor),
                       version_text(driver), version_text(runtime)});
  }
  return devices;
}

void open_device(const VisibleDevice& device) {
  check(cudaSetDevice(device.number));
  const cudaError_t error = probe_code();
  if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction ||
      error == cudaErrorUnsupportedPtxVersion) {
    throw BackendUnavailable("cuda", code_reason(device.name, device.capability));
  }
  check(error);
}

std::uint64_t free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return free;
}

}  // namespace atl::cuda
