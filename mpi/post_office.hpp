// Messages between ranks that nobody waits for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include <mpi.h>

#include "src/core/communicator.hpp"

namespace atl::mpi {

/// @throws InternalError unless the code is MPI_SUCCESS
void check(int code, const char* call);

/// Communicator::post and its like, on a duplicate of an MPI communicator.
class PostOffice {
 public:
  /// Collective.
  explicit PostOffice(MPI_Comm parent);
  ~PostOffice();
  PostOffice(const PostOffice&) = delete;
  PostOffice& operator=(const PostOffice&) = delete;

  void post(Channel channel, Message message);
  std::size_t unsent(int peer);
  std::optional<Message> poll(Channel channel);
  std::vector<Message> drain(Channel channel);

 private:
  struct Sending {
    Channel channel = Channel::control;
    Message message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  static constexpr std::size_t channels = static_cast<std::size_t>(Channel::last) + 1;

  void forget_sent();
  Message receive(int source, Channel channel, const MPI_Status& status);

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::size_t size_ = 1;
  std::list<Sending> sending_;  // stay where they are
  // Messages posted to each peer and received from it since the channel was last drained:
  // [channel][peer].
  std::array<std::vector<std::uint64_t>, channels> posted_, received_;
};

}  // namespace atl::mpi
