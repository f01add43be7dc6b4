// One job of a run: from wherever the run is to its end, or to where it is told to stop.
#pragma once

#include <memory>

#include "src/core/context.hpp"
#include "src/core/error.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/loop/mining_parts.hpp"
#include "src/work/job_limits.hpp"

namespace atl {

/// Collective throughout: every rank makes one with the same settings and calls run() once.
class Job {
 public:
  /// Loads the data and binds the grammar to them.
  /// @throws as io::read_dataset, BoundGrammar and the backend; UsageError if ranks are too many
  Job(const Context& context, const JobSettings& settings);
  /// Of a repeat, on the parts of the run that it repeats, which outlive it.
  Job(const Context& context, const JobSettings& settings, MiningParts& parts);
  ~Job();

  /// Mines from the latest checkpoint, if there is one, until the end or a reason to stop, and
  /// writes checkpoint, rules and history. A finished run has its files written again. Repeats, if
  /// the experiment has some, come between the search and the rules.
  /// @return done or stopped
  /// @throws BadData if the checkpoint belongs to another experiment or other data; CannotCreate or
  /// IoError if no checkpoint at all can be written, or at the end not all files: what can be is
  ExitStatus run();
  /// Likewise, for a process that heeds signals already.
  /// @return why the job has ended
  StopReason run(const StopSignals& signals);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl
