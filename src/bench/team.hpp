// What a team of ranks gains over one of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/bench/workload.hpp"
#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

/// How long the numbers of a batch take to add up.
struct AddingTime {
  std::string by;  ///< Reducer::name()
  double seconds = 0;
};

/// Of batches that a team counts: while one is read and added up, the next is counted. Seconds are
/// those of rank 0, the mean over many batches, and of adding up the slowest's median.
struct TeamRecord {
  std::string backend;
  int ranks = 1;
  unsigned threads = 0;  ///< of each rank
  TeamSplit split = TeamSplit::rows;
  std::uint64_t rows = 0;
  std::uint32_t rules = 0;
  std::uint64_t bytes = 0;   ///< that are added up, once a batch
  double alone_seconds = 0;  ///< of a batch: rank 0 counts all of it, while the others do nothing
  double part_seconds = 0;   ///< each counts its part
  double team_seconds = 0;   ///< that, and adds it up
  std::vector<AddingTime>
      adding;  ///< by each way that there is; the first is the one that mine takes
};

/// Collective. @throws UsageError for one rank; InternalError if the team counts otherwise than one
/// rank
/// @param split  what the ranks share out
TeamRecord bench_team(const Machine& machine, const Workload& workload, TeamSplit split,
                      const ChooseBackend& choose_backend, Communicator& communicator);

std::string team_table(const TeamRecord& record);
std::string team_json(const TeamRecord& record);

}  // namespace atl
