#include "cuda/device/handles.hpp"

#include <string>

#include "cuda/device/device_layout.hpp"
#include "cuda/host/reasons.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

enum class Kind { unavailable, failed, misused };

/// Failures are errors after which the process gets nothing more from the device, as the
/// documentation of cudaError_t says of each; misuse is a bug of ours.
Kind kind_of(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
      return Kind::failed;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidResourceHandle:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorIllegalState:
      return Kind::misused;
    default:
      return Kind::unavailable;
  }
}

}  // namespace

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // or the next launch would report it again
  const std::string text =
      std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
  switch (kind_of(error)) {
    case Kind::failed:
      throw DeviceFailed("cuda", text);
    case Kind::misused:
      throw InternalError("cuda: " + text);
    case Kind::unavailable:
      throw BackendUnavailable("cuda", text);
  }
}

void* DeviceMemory::try_allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, bytes);
  if (error == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    return nullptr;
  }
  check(error);
  return memory;
}

void* DeviceMemory::allocate(std::size_t bytes) {
  void* const memory = try_allocate(bytes);
  if (memory == nullptr && bytes != 0) refuse_for_memory(bytes);
  return memory;
}

void* PinnedMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t error = cudaMallocHost(&memory, bytes);
  if (error == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw BackendUnavailable(
        "cuda", "the system pins no " + std::to_string(bytes) + " more bytes of memory for it");
  }
  check(error);
  return memory;
}

bool Event::passed() const {
  const cudaError_t error = cudaEventQuery(event_);
  if (error == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  check(error);
  return true;
}

Pin try_pin(const void* memory, std::size_t bytes) {
  void* const pinned = const_cast<void*>(memory);
  // Memory that may not be written to is pinned to be read only, which not every device can.
  for (const unsigned flags : {cudaHostRegisterReadOnly, cudaHostRegisterDefault}) {
    if (cudaHostRegister(pinned, bytes, flags) == cudaSuccess) return Pin(pinned);
    (void)cudaGetLastError();
  }
  return nullptr;
}

void refuse_for_memory(std::size_t needed) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  throw BackendUnavailable("cuda", memory_reason(needed, free, total));
}

DeviceLimits device_limits() {
  int device = 0;
  int processors = 0;
  int shared = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return {static_cast<std::uint32_t>(processors), static_cast<std::uint32_t>(shared)};
}

}  // namespace atl::cuda
