#include "mpi/pending_sum.hpp"

#include <cassert>
#include <utility>

#include "mpi/post_office.hpp"

namespace atl::mpi {

PendingSum::PendingSum(MPI_Comm parent) {
  check(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

PendingSum::~PendingSum() {
  // The job has failed if a sum is pending: MPI may write to it until the process ends.
  (void)sum_.release();
  MPI_Comm_free(&comm_);
}

void PendingSum::begin(std::vector<std::uint64_t> values) {
  assert(!sum_);
  sum_ = std::make_unique<Sum>();
  sum_->values = std::move(values);
  check(MPI_Iallreduce(MPI_IN_PLACE, sum_->values.data(), static_cast<int>(sum_->values.size()),
                       MPI_UINT64_T, MPI_SUM, comm_, &sum_->request),
        "MPI_Iallreduce");
}

std::optional<std::vector<std::uint64_t>> PendingSum::poll() {
  int done = 0;
  check(MPI_Test(&sum_->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
  if (done == 0) return std::nullopt;
  return std::move(std::exchange(sum_, nullptr)->values);
}

}  // namespace atl::mpi
