#include "mpi/session.hpp"

#include <chrono>
#include <thread>

#include <mpi.h>

#include "mpi/communicator.hpp"

namespace atl::mpi {
namespace {

struct Library {
  Library(int& argc, char**& argv) {
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    if (provided < MPI_THREAD_FUNNELED) {
      throw BackendUnavailable("mpi", "this MPI library allows no threads beside it");
    }
  }
  ~Library() { MPI_Finalize(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

}  // namespace

struct Session::State {
  State(int& argc, char**& argv)
      : library(argc, argv), world(MPI_COMM_WORLD), meeting_place(MPI_COMM_WORLD) {}
  Library library;
  MpiCommunicator world;
  MpiCommunicator meeting_place;  // apart from whatever another rank is waiting in
};

Session::Session(int& argc, char**& argv) : state_(std::make_unique<State>(argc, argv)) {}
Session::~Session() = default;

Communicator& Session::world() noexcept {
  return state_->world;
}

bool Session::meet(double seconds) {
  MPI_Comm comm = state_->meeting_place.handle();
  const auto start = std::chrono::steady_clock::now();
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
  for (;;) {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return true;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (seconds >= 0 && waited.count() > seconds) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace atl::mpi
