// The device that a job counts with; src/app chooses it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/context.hpp"
#include "src/core/reducer.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/device.hpp"
#include "src/run/log/run_log.hpp"

namespace atl {

/// The reference, the CPU's cores or a device of this rank.
class Backend {
 public:
  virtual ~Backend() = default;

  /// Loads the data to the GPU; null if the backend has none. What an automatic backend's GPU has
  /// no room for goes to the CPU: null, too, has_device() is false afterwards, and the calling
  /// thread is bound no more.
  /// @param dataset  must outlive the resident
  /// @throws BackendUnavailable
  virtual std::shared_ptr<Resident> load_on_gpu(const Dataset& dataset) = 0;
  /// Loads the data to the GPU, or else for the CPU. Arguments must outlive it.
  /// @throws BackendUnavailable
  virtual std::shared_ptr<Resident> load(const Dataset& dataset, ThreadPool& pool) = 0;

  /// The means to add up what the ranks of a team have counted, the fastest first. Collective in
  /// the team.
  /// @param members  of the team, must outlive it
  /// @return at least one
  virtual std::vector<std::unique_ptr<Reducer>> make_reducers(Communicator& members) = 0;

  virtual bool has_device() const noexcept = 0;
  virtual const std::string& reason() const noexcept = 0;  ///< of the choice
  /// Tells what the ranks count with: people what was chosen for them and whether devices are
  /// shared, the log a "device" record for each rank. Collective.
  /// @param threads  of this rank
  /// @param log  on rank 0
  virtual void report(unsigned threads, const Context& context, RunLog* log) const = 0;
};

/// The facts that decide whether a device gains.
struct BackendWork {
  std::uint64_t rows = 0;  ///< of the table, alike on all ranks
  bool lists = false;      ///< decision lists are learnt, not rules mined
  bool is_large = false;   ///< it is known to be, whatever its rows
};

/// Collective. @throws UsageError, BackendUnavailable
using ChooseBackend = std::function<std::unique_ptr<Backend>(
    const Machine& machine, const BackendWork& work, Communicator& communicator)>;

}  // namespace atl
