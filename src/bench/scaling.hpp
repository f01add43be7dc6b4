// What it costs to be many ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/bench/workload.hpp"
#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/run/backend.hpp"

namespace atl {

/// Median and greatest of what epochs took.
struct Spread {
  double median = 0;
  double most = 0;
};

/// Of a run as `mine` does it, on the ranks that there are, as many islands on each.
struct ScalingRecord {
  std::string backend;
  int ranks = 1;
  unsigned threads = 0;  ///< of each rank
  std::uint64_t rows = 0;
  std::uint32_t islands = 0;  ///< of each rank
  std::uint32_t population = 0;
  std::uint32_t generations = 0;  ///< of an epoch, from one migration to the next
  std::uint32_t epochs = 0;
  double launch_seconds = 0;    ///< from the start of the process, MPI's included; slowest rank
  double prepare_seconds = 0;   ///< from there to the end of generation 0, data made; slowest rank
  double rules_per_second = 0;  ///< of all ranks, from the first epoch to the last
  double idle = 0;              ///< share of that time that ranks wait for the slowest
  Spread communication;  ///< seconds of an epoch, once all ranks have come: votes and migration
  Spread bytes;          ///< sent by a rank in an epoch, as handed in
  double hand_in_seconds = 0;     ///< that mining waits for a checkpoint
  double assemble_seconds = 0;    ///< the state, and to encode it; rank 0 beside mining
  std::uint64_t state_bytes = 0;  ///< of which what grows with the generations:
  std::uint64_t history_bytes = 0;
};

/// Collective.
/// @param islands  of each rank
ScalingRecord bench_scaling(const Machine& machine, const Workload& workload, std::uint32_t islands,
                            const ChooseBackend& choose_backend, Communicator& communicator);

std::string scaling_table(const ScalingRecord& record);
std::string scaling_json(const ScalingRecord& record);

}  // namespace atl
