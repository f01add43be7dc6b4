#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <mpi.h>

#include "mpi/post_office.hpp"
#include "src/core/communicator.hpp"

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

/// Ranks of an MPI communicator, which it duplicates, so that its messages meet no others. An MPI
/// call that fails throws InternalError with MPI's text.
class MpiCommunicator final : public Communicator {
 public:
  /// Collective.
  /// @param largest_message  bytes handed to MPI at once; longer ones are split. At most 2^31 - 1,
  ///                         the limit of MPI's counts
  explicit MpiCommunicator(MPI_Comm parent, std::size_t largest_message = std::size_t{1} << 30);
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  void barrier() override;
  void all_reduce_sum(std::span<std::uint64_t> values) override;
  void begin_sum(std::vector<std::uint64_t> values) override { sum_->begin(std::move(values)); }
  std::optional<std::vector<std::uint64_t>> poll_sum() override { return sum_->poll(); }
  std::vector<Bytes> all_gather(std::span<const std::byte> bytes) override;
  std::vector<Bytes> gather(std::span<const std::byte> bytes, int root) override;
  Bytes broadcast(Bytes bytes, int root) override;
  void post(Channel channel, Message message) override;
  std::size_t unsent(int peer) override;
  std::optional<Message> poll(Channel channel) override;
  std::vector<Message> drain(Channel channel) override;
  std::unique_ptr<Communicator> split(int colour) override;
  [[noreturn]] void abort(ExitStatus status) noexcept override;
  MPI_Comm handle() const noexcept { return comm_; }

 private:
  class Transfers;
  std::vector<std::uint64_t> all_sizes(std::uint64_t mine);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::size_t largest_message_;
  std::unique_ptr<PostOffice> posts_;
  std::unique_ptr<PendingSum> sum_;
};

}  // namespace atl::mpi
