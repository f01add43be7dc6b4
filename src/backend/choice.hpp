// Which device each rank counts on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cuda/device/device.hpp"
#include "cuda/device/visible_devices.hpp"
#include "src/core/communicator.hpp"
#include "src/core/cpus.hpp"
#include "src/core/error.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

/// @throws UsageError if it is none of auto, reference, cpu and cuda
void expect_backend(const std::string& name);

/// What a rank is to count with.
struct BackendChoice {
  std::string name;                                ///< reference, cpu or cuda
  bool automatic = false;                          ///< chosen, not asked for
  std::string reason = {};                         ///< of the choice
  std::optional<cuda::VisibleDevice> device = {};  ///< of cuda
  int sharing = 0;  ///< ranks that have the device, this one included
  cuda::DeviceOptions options = {};
  CpuList cpus_before = {};  ///< that the thread could run on before it was bound near the device

  /// What `make` makes of the device's options: all that computes on the GPU comes from here, for
  /// tables, transactions and whatever else. Null if there is none. What an automatic choice's GPU
  /// has no room for goes to the CPU: null, too, the choice is the CPU from then on, and the
  /// calling thread is bound no more. @throws BackendUnavailable
  template <typename Make>
  auto on_gpu(const Make& make) -> decltype(make(options)) {
    if (!device) return nullptr;
    try {
      return make(options);
    } catch (const BackendUnavailable& error) {
      if (!automatic) throw;
      bind_to(cpus_before);
      *this = {"cpu", true, error.reason};
      return nullptr;
    }
  }
};

/// Gives each rank a GPU, if it is to have one, and binds the calling thread, and those that it
/// starts from now on, to the CPUs near it. "auto" takes CUDA where a device answers, for work that
/// is large enough to gain; a rank without a device then has its CPU. Collective.
/// @throws UsageError for an unknown name; for "cuda" what the first rank without a device says, on
///         all ranks
BackendChoice choose_backend(const Machine& machine, const BackendWork& work,
                             Communicator& communicator);

class ChosenBackend final : public Backend {
 public:
  explicit ChosenBackend(BackendChoice choice) : choice_(std::move(choice)) {}

  std::shared_ptr<Resident> load_on_gpu(const Dataset& dataset) override;
  std::shared_ptr<Resident> load(const Dataset& dataset, ThreadPool& pool) override;
  std::vector<std::unique_ptr<Reducer>> make_reducers(Communicator& members) override;
  bool has_device() const noexcept override { return choice_.device.has_value(); }
  const std::string& reason() const noexcept override { return choice_.reason; }
  void report(unsigned threads, const Context& context, RunLog* log) const override;

 private:
  BackendChoice choice_;
  std::shared_ptr<Device> gpu_;  // when a table was loaded
};

/// As choose_backend(). Collective.
std::unique_ptr<Backend> make_backend(const Machine& machine, const BackendWork& work,
                                      Communicator& communicator);

}  // namespace atl
