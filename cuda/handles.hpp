// What CUDA hands out, given back by destructors.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>

namespace atl::cuda {

/// @throws BackendUnavailable saying which error
void check(cudaError_t error);

struct Release {
  void operator()(void* memory) const noexcept { cudaFree(memory); }
};
struct ReleasePinned {
  void operator()(void* memory) const noexcept { cudaFreeHost(memory); }
};

/// Device memory that grows and keeps what it has; what it held is lost when it grows.
template <typename T>
class DeviceBuffer {
 public:
  T* data() const noexcept { return static_cast<T*>(memory_.get()); }
  void reserve(std::size_t count) { check(allocate(count)); }
  /// False if there is not so much left.
  bool try_reserve(std::size_t count) {
    const cudaError_t error = allocate(count);
    if (error != cudaErrorMemoryAllocation) {
      check(error);
      return true;
    }
    cudaGetLastError();
    return false;
  }

 private:
  cudaError_t allocate(std::size_t count) {
    if (count <= capacity_) return cudaSuccess;
    memory_.reset();
    capacity_ = 0;
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, count * sizeof(T));
    if (error != cudaSuccess) return error;
    memory_.reset(memory);
    capacity_ = count;
    return cudaSuccess;
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
    memory_.reset();
    capacity_ = 0;
    void* memory = nullptr;
    check(cudaMallocHost(&memory, count * sizeof(T)));
    memory_.reset(memory);
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
