// Adds up by NCCL on a thread of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "cuda/reduce/nccl_communicator.hpp"
#include "src/core/communicator.hpp"
#include "src/core/reducer.hpp"

namespace atl::cuda {

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
