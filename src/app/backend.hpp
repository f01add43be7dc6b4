#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cuda/devices.hpp"
#include "cuda/evaluator.hpp"
#include "src/core/communicator.hpp"
#include "src/core/cpus.hpp"
#include "src/core/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/evaluator.hpp"

namespace atl {

/// @throws UsageError if it is none of auto, reference, cpu and cuda
void expect_backend(const std::string& name);

/// What a rank counts with.
struct Backend {
  std::string name;                         ///< reference, cpu or cuda
  bool automatic = false;                   ///< chosen, not asked for
  std::string reason = {};                  ///< of the choice
  std::optional<cuda::Device> device = {};  ///< of cuda
  int sharing = 0;                          ///< ranks that have the device, this one included
  cuda::DeviceOptions options = {};
  CpuList cpus_before = {};  ///< that the thread could run on before it was bound near the device
};

/// Gives each rank a GPU, if it is to have one, and binds the calling thread, and those that it
/// starts from now on, to the CPUs near it. "auto" takes CUDA where a device answers, for work that
/// is large enough to gain; a rank without a device then has its CPU. Collective.
/// @throws UsageError for an unknown name; for "cuda" what the first rank without a device says, on
///         all ranks
Backend choose_backend(const Machine& machine, std::uint64_t rows, Communicator& communicator);

/// Likewise for a process that works by itself.
Backend choose_alone(const Machine& machine, std::uint64_t rows);

/// Null if the backend has no device. What an automatic backend's device has no room for goes to
/// the CPU: null, too, the backend tells so afterwards, and the calling thread is bound no more.
/// @throws BackendUnavailable
std::unique_ptr<Evaluator> make_device_evaluator(Backend& backend, const Dataset& dataset);
/// That, or the CPU's. Arguments but for the backend must outlive it.
/// @throws BackendUnavailable
std::unique_ptr<Evaluator> make_evaluator(Backend& backend, const Dataset& dataset,
                                          ThreadPool& pool);

}  // namespace atl
