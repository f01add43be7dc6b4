// Where the ranks of a job run, and the cores that each may take.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/core/communicator.hpp"
#include "src/core/cpus.hpp"

namespace atl {

/// Where a rank runs.
struct RankPlace {
  std::string host;     ///< its name, for people
  std::string machine;  ///< equal for ranks that share cores, containers of one host among them
  CpuList cpus;         ///< that it may run on; empty if the system does not tell
  unsigned threads = 0;
  bool sees_run = true;  ///< RUN, as rank 0 has it
};

/// Of this rank, without what only its job knows.
RankPlace own_place();

/// Collective. @return [ranks]
std::vector<RankPlace> all_places(const RankPlace& mine, Communicator& communicator);

/// Threads for a rank without `--threads`: one for each of its CPUs. Ranks that may use the same
/// CPUs get equal parts of them.
unsigned suitable_threads(const RankPlace& mine, std::span<const RankPlace> all);
/// Those that `--threads` asks for, else (0) the suitable ones. Collective.
unsigned threads_of(unsigned asked, Communicator& communicator);

}  // namespace atl
