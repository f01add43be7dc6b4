// A sum over ranks that nobody waits for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

namespace atl::mpi {

/// Communicator::begin_sum and poll_sum, on a duplicate of an MPI communicator.
class PendingSum {
 public:
  /// Collective.
  explicit PendingSum(MPI_Comm parent);
  ~PendingSum();
  PendingSum(const PendingSum&) = delete;
  PendingSum& operator=(const PendingSum&) = delete;

  void begin(std::vector<std::uint64_t> values);
  std::optional<std::vector<std::uint64_t>> poll();

 private:
  struct Sum {
    std::vector<std::uint64_t> values;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::unique_ptr<Sum> sum_;  // null: none is under way
};

}  // namespace atl::mpi
