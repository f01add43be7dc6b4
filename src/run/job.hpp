// One job of a run: from wherever the run is to its end, or to where it is told to stop.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "io/run/run_folder.hpp"
#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "src/run/backend.hpp"

namespace atl {

struct JobSettings {
  std::string folder;  ///< RUN, locked by rank 0
  RunConfiguration configuration;
  std::string dataset;            ///< file to read
  bool needs_checkpoint = false;  ///< the run may not begin (again)
  std::string grammar;            ///< what messages call the grammar
  std::set<std::string> items;    ///< of transactions, kept beside those that are frequent enough
  double stop_after = 0;          ///< seconds since `start`, 0 = never
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  RunLog* log = nullptr;              ///< on rank 0
  const io::RunLock* lock = nullptr;  ///< likewise
  ChooseBackend choose_backend;       ///< on every rank
  std::function<void()> on_begun;  ///< on rank 0, once every rank has its generation to start from
};

/// Collective throughout: every rank makes one with the same settings and calls run() once.
class Job {
 public:
  /// Loads the data and binds the grammar to them.
  /// @throws as io::read_dataset, BoundGrammar and the backend; UsageError if ranks are too many
  Job(const Context& context, const JobSettings& settings);
  ~Job();

  /// Mines from the latest checkpoint, if there is one, until the end or a reason to stop, and
  /// writes checkpoint, rules and history. A finished run has its files written again.
  /// @return done or stopped
  /// @throws BadData if the checkpoint belongs to another experiment or other data; CannotCreate or
  /// IoError if no checkpoint at all can be written, or at the end not all files: what can be is
  ExitStatus run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl
