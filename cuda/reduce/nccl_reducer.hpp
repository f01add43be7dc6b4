// Adds up by NCCL on a thread of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "cuda/device/handles.hpp"
#include "cuda/reduce/nccl_library.hpp"
#include "src/core/communicator.hpp"
#include "src/core/reducer.hpp"

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

/// A sum goes to the GPUs once all members have begun it, which messages tell. NCCL waits for other
/// members on the device, where it takes processors from kernels that count. Worse, threads that
/// count would wait for NCCL in calls that wait for the whole device, as cudaFree() does. The
/// member that NCCL waits for may itself need what such a thread is to send.
class NcclReducer final : public Reducer {
 public:
  /// Waits for nobody. @param members  must outlive it
  NcclReducer(const NcclLibrary& nccl, const NcclPlace& place, Communicator& members);
  /// Waits a few seconds at most, and leaves a thread behind that NCCL holds for longer.
  ~NcclReducer() override;

  /// Joins the members and tries a sum. Blocking, on all members at a time.
  /// @throws BackendUnavailable, also if it takes longer
  void connect(std::chrono::seconds limit);

  void begin(std::vector<std::uint64_t> numbers) override;
  std::optional<std::vector<std::uint64_t>> poll() override;
  const char* name() const noexcept override { return "nccl"; }

 private:
  struct Work;

  void hand_over(std::vector<std::uint64_t> numbers);

  Communicator& members_;
  std::optional<std::vector<std::uint64_t>> numbers_;  // until all members have begun
  std::shared_ptr<Work> work_;
  std::jthread thread_;
};

}  // namespace atl::cuda
