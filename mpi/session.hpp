#pragma once

#include <array>
#include <cstdlib>
#include <memory>

#include "src/core/communicator.hpp"

namespace atl::mpi {

/// Started by an MPI launcher? Told by the environment alone: Open MPI's mpirun; PMIx (srun
/// --mpi=pmix); PMI-1 and PMI-2 (MPICH's mpiexec, srun --mpi=pmi2).
inline bool launched() noexcept {
  constexpr std::array variables = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"};
  for (const char* variable : variables) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

/// Owns MPI between construction and destruction: initialises it FUNNELED and finalizes it. At most
/// one per process, on the main thread.
class Session {
 public:
  /// @throws BackendUnavailable if this program was built without MPI
  Session(int& argc, char**& argv);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// All ranks. Lives as long as the session.
  Communicator& world() noexcept;

  /// Waits until every rank has called this. A rank that failed learns whether the others failed,
  /// too (then they arrive), or wait for it in another call (then time runs out). Each rank calls
  /// it once, as the collective step before its last.
  /// @param seconds  to wait at most; negative: for ever
  /// @return false if time ran out: nothing but world().abort() may be called then
  bool meet(double seconds);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl::mpi
