// The islands of one rank and their exchange with those of the others.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "islands/run_state.hpp"
#include "src/core/communicator.hpp"
#include "src/core/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/evaluator.hpp"

namespace atl {

/// Seconds of this rank's main thread since the start of the job, by what it did or waited for.
/// With several threads other phases may go on meanwhile.
struct PhaseTimes {
  double breed = 0;     ///< selection, crossover, mutation, preparing batches
  double fit = 0;       ///< part of breeding that looks at rows: the threads' share of it
  double evaluate = 0;  ///< starting batches and blocked until they are finished
  double survive = 0;   ///< reading counts, constraints, sorting, replacement, archive
  double exchange = 0;  ///< migration and other communication
};

struct Phase {
  const char* name;
  double PhaseTimes::*seconds;
};
inline constexpr std::array<Phase, 5> phases{{{"breed", &PhaseTimes::breed},
                                              {"fit", &PhaseTimes::fit},
                                              {"evaluate", &PhaseTimes::evaluate},
                                              {"survive", &PhaseTimes::survive},
                                              {"exchange", &PhaseTimes::exchange}}};

/// What a progress line shows; of this rank's islands only.
struct Progress {
  std::uint32_t generation = 0;
  std::uint64_t evaluated = 0;  ///< rules, since the start of the job
  std::size_t archived = 0;
  std::vector<double> best;  ///< of each measure in `maximize`, in the archive
  PhaseTimes times;
};

/// Island i lives on rank i mod size; the islands of a rank breed side by side on its threads.
/// Nothing it computes depends on the number of ranks or threads. Arguments must outlive it. Reads
/// no clock but for PhaseTimes.
class Archipelago {
 public:
  /// @throws UsageError if there are more ranks than islands, or the experiment names an unknown
  ///         algorithm, measure or topology
  /// @param pool  may be the evaluator's
  Archipelago(const Experiment& experiment, const BoundGrammar& grammar, const Dataset& dataset,
              Evaluator& evaluator, ThreadPool& pool, Communicator& communicator);
  ~Archipelago();

  /// Generation 0: derives and evaluates the first populations. Not collective.
  void initialise();
  /// Goes on from a state instead; every rank passes the whole of it. Collective.
  void restore(const RunState& state);
  /// One generation of every island of this rank. While one island's batch is evaluated others
  /// breed. Not collective.
  void advance();
  /// Ends the generation: migration if it is due. Collective.
  void exchange();

  std::uint32_t generation() const noexcept;  ///< last one completed; not collective
  Progress progress() const;                  ///< not collective
  /// The whole state on rank 0 (its header's seconds, jobs and finished are the caller's to fill),
  /// nothing elsewhere. Collective.
  std::optional<RunState> gather();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl
