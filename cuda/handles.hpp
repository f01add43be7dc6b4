// What CUDA hands out, given back by destructors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>

namespace atl::cuda {

/// @throws for an error that is not cudaSuccess: DeviceFailed if the device is lost to the process,
///         InternalError if CUDA was misused, BackendUnavailable for all else
void check(cudaError_t error);

/// Memory of the current device, for cudaFree().
/// @throws BackendUnavailable saying how much was needed and how much is free
void* allocate(std::size_t bytes);
/// Null if there is not so much left.
void* try_allocate(std::size_t bytes);
/// Pinned memory of the host, for cudaFreeHost(). @throws BackendUnavailable
void* allocate_pinned(std::size_t bytes);

struct Release {
  void operator()(void* memory) const noexcept { cudaFree(memory); }
};
struct ReleasePinned {
  void operator()(void* memory) const noexcept { cudaFreeHost(memory); }
};

/// Device memory that grows and keeps what it has. To grow it waits for all that the device does,
/// and loses what it held.
template <typename T>
class DeviceBuffer {
 public:
  T* data() const noexcept { return static_cast<T*>(memory_.get()); }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    count = std::max(count, capacity_ + capacity_ / 2);
    free();
    memory_.reset(allocate(count * sizeof(T)));
    capacity_ = count;
  }
  /// False, and nothing is held, if the device has not so much left.
  bool try_reserve(std::size_t count) {
    if (count <= capacity_) return true;
    free();
    memory_.reset(try_allocate(count * sizeof(T)));
    if (memory_ != nullptr) capacity_ = count;
    return memory_ != nullptr;
  }

 private:
  void free() {
    memory_.reset();
    capacity_ = 0;
  }

  std::unique_ptr<void, Release> memory_;
  std::size_t capacity_ = 0;
};

/// Likewise, of host memory that the device copies from and to without stopping the host.
template <typename T>
class PinnedBuffer {
 public:
  T* data() const noexcept { return static_cast<T*>(memory_.get()); }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    count = std::max(count, capacity_ + capacity_ / 2);
    memory_.reset();
    capacity_ = 0;
    memory_.reset(allocate_pinned(count * sizeof(T)));
    capacity_ = count;
  }

 private:
  std::unique_ptr<void, ReleasePinned> memory_;
  std::size_t capacity_ = 0;
};

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
