#pragma once

#include <memory>

#include "src/core/communicator.hpp"

namespace atl::mpi {

/// Started by an MPI launcher (mpirun, srun with PMIx or PMI)? Told by the environment alone.
bool launched() noexcept;

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

 private:
  std::unique_ptr<Communicator> world_;
};

}  // namespace atl::mpi
