// A rank's membership in a team of NCCL, with the memory that its numbers pass through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

#include "cuda/device/handles.hpp"
#include "cuda/reduce/nccl_library.hpp"

namespace atl::cuda {

struct NcclPlace {
  ncclUniqueId team;
  int rank = 0;  ///< in the team
  int size = 1;  ///< of the team
  int device = 0;
};

/// Belongs to one thread, which alone may call it: NCCL can be told to give up only while no other
/// thread is within NCCL.
class NcclCommunicator {
 public:
  /// Makes the device the calling thread's.
  /// @param end  when it is requested, whatever waits for other members throws
  NcclCommunicator(const NcclLibrary& nccl, int device, std::stop_token end);
  /// Gives up what is under way.
  ~NcclCommunicator();
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  /// Waits for the other members. @throws BackendUnavailable
  void connect(const NcclPlace& place);
  /// Adds numbers up over all members, modulo 2^64; waits for them. After an error it must not be
  /// called again.
  /// @param numbers  overwritten by the sums. As many on every member
  /// @throws BackendUnavailable, DeviceFailed
  void add_up(std::span<std::uint64_t> numbers);

 private:
  void wait_for_nccl();
  void wait_for_stream();
  void throw_at_end() const;
  bool finalised() noexcept;

  const NcclLibrary nccl_;
  const std::stop_token end_;
  struct Device {
    explicit Device(int number) { check(cudaSetDevice(number)); }
  } device_;
  Stream stream_;
  PinnedBuffer<std::uint64_t> on_host_;
  DeviceBuffer<std::uint64_t> on_device_;
  ncclComm_t communicator_ = nullptr;
  bool idle_ = false;  // connected, and nothing is under way or has failed
};

}  // namespace atl::cuda
