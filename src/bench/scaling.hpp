// What it costs to be many ranks.
#pragma once

#include <cstdint>
#include <string>

#include "src/bench/workload.hpp"
#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

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
  double idle = 0;              ///< share of that time that ranks wait for others
  // Of an epoch, on the rank that has most:
  double exchange_seconds = 0;  ///< choosing emigrants, sending them and taking others in
  double messages = 0;          ///< sent
  double bytes = 0;             ///< sent, as handed in
  // Of a checkpoint:
  double hand_in_seconds = 0;     ///< that mining waits; slowest rank
  std::uint64_t state_bytes = 0;  ///< of all parts
  std::uint64_t part_bytes = 0;   ///< of the largest
};

/// Collective.
/// @param islands  of each rank
ScalingRecord bench_scaling(const Machine& machine, const Workload& workload, std::uint32_t islands,
                            const ChooseBackend& choose_backend, Communicator& communicator);

std::string scaling_table(const ScalingRecord& record);
std::string scaling_json(const ScalingRecord& record);

}  // namespace atl
