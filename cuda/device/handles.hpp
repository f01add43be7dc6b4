// Owners of what CUDA hands out; their destructors give it back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>

namespace atl::cuda {

/// @throws for an error that is not cudaSuccess: DeviceFailed if the device is lost to the process,
///         InternalError if CUDA was misused, BackendUnavailable for all else
void check(cudaError_t error);

/// Memory of the current device.
struct DeviceMemory {
  /// @throws BackendUnavailable saying how much was needed and how much is free
  static void* allocate(std::size_t bytes);
  /// Allocates memory; null if there is not so much left.
  static void* try_allocate(std::size_t bytes);
  void operator()(void* memory) const noexcept { cudaFree(memory); }
};
/// Memory of the host that the device copies from and to without stopping the host.
struct PinnedMemory {
  /// @throws BackendUnavailable
  static void* allocate(std::size_t bytes);
  void operator()(void* memory) const noexcept { cudaFreeHost(memory); }
};

/// Grows and keeps what it has. To grow it waits for all that the device does, and loses what it
/// held.
template <typename T, typename Memory>
class Buffer {
 public:
  T* data() const noexcept { return static_cast<T*>(memory_.get()); }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    count = std::max(count, capacity_ + capacity_ / 2);
    *this = {};
    memory_.reset(Memory::allocate(count * sizeof(T)));
    capacity_ = count;
  }
  /// Reserves memory. False, and nothing is held, if there is not so much left.
  bool try_reserve(std::size_t count) {
    if (count <= capacity_) return true;
    *this = {};
    memory_.reset(Memory::try_allocate(count * sizeof(T)));
    if (memory_ != nullptr) capacity_ = count;
    return memory_ != nullptr;
  }

 private:
  std::unique_ptr<void, Memory> memory_;
  std::size_t capacity_ = 0;
};
template <typename T>
using DeviceBuffer = Buffer<T, DeviceMemory>;
template <typename T>
using PinnedBuffer = Buffer<T, PinnedMemory>;

/// Memory of somebody else's, pinned for a while.
struct Unpin {
  void operator()(void* memory) const noexcept { cudaHostUnregister(memory); }
};
using Pin = std::unique_ptr<void, Unpin>;
/// Pins memory; null where the system pins no more, which slows copies down and no more than that.
Pin try_pin(const void* memory, std::size_t bytes);

/// @throws BackendUnavailable, always
[[noreturn]] void refuse_for_memory(std::size_t needed);

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const noexcept { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A moment in a stream's work.
class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const noexcept { return event_; }

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream)); }
  /// Does not block.
  bool passed() const;
  /// Blocks until it has passed.
  void wait() const { check(cudaEventSynchronize(event_)); }
  /// @pre both have passed
  double seconds_since(const Event& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier, event_));
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace atl::cuda
