// Runs every test on every rank. Rank 0 reports; the others only speak of what failed.
#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

#include "io/hdf5/h5_inspection.hpp"
#include "mpi/session.hpp"
#include "tests/mpi/world.hpp"

namespace {

atl::Communicator* the_world = nullptr;

class FailuresOnly : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", the_world->rank(), result.file_name(),
                 result.line_number(), result.message());
  }
};

}  // namespace

atl::Communicator& atl::test::world() {
  return *the_world;
}

int main(int argc, char** argv) {
  if (const auto status = atl::io::run_inspection_child(argc, argv)) return *status;
  testing::InitGoogleTest(&argc, argv);
  atl::LocalCommunicator local;
  std::unique_ptr<atl::mpi::Session> session;
  if (atl::mpi::launched()) session = std::make_unique<atl::mpi::Session>(argc, argv);
  the_world = session ? &session->world() : &local;
  if (the_world->rank() != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  return RUN_ALL_TESTS();
}
