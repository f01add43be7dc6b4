// Stands in for MPI in builds without it.
#include "mpi/session.hpp"

namespace atl::mpi {

struct Session::State {};

Session::Session(int&, char**&) {
  throw BackendUnavailable("mpi", "this atoll was built without it; start it without a launcher");
}
Session::~Session() = default;

// No session can exist.
Communicator& Session::world() noexcept {
  std::abort();
}
bool Session::meet(double) {
  std::abort();
}

}  // namespace atl::mpi
