// Where the time of a job goes.
#pragma once

#include <array>

namespace atl {

/// Seconds since the start of the job, by what this rank's threads did or waited for: the mean of
/// those that have islands.
struct PhaseTimes {
  double breed = 0;        ///< selection, crossover, mutation, preparing batches
  double fit = 0;          ///< part of breeding that looks at rows
  double evaluate = 0;     ///< starting batches, and evaluating them or waiting for the device
  double replacement = 0;  ///< reading counts, constraints, sorting, the next population, archive
  double idle = 0;      ///< without an island, until the last has come to the same generation; here
                        ///< of this rank, a job adds what it waits for others
  double exchange = 0;  ///< migration and other communication
};

struct Phase {
  const char* name;
  double PhaseTimes::*seconds;
};
inline constexpr std::array<Phase, 6> phases{{{"breed", &PhaseTimes::breed},
                                              {"fit", &PhaseTimes::fit},
                                              {"evaluate", &PhaseTimes::evaluate},
                                              {"replacement", &PhaseTimes::replacement},
                                              {"idle", &PhaseTimes::idle},
                                              {"exchange", &PhaseTimes::exchange}}};

}  // namespace atl
