#include "mpi/post_office.hpp"

#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace atl::mpi {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text;
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw InternalError(std::string(call) + ": " +
                      std::string(text.data(), static_cast<std::size_t>(length)));
}

namespace {

std::size_t index(Channel channel) {
  return static_cast<std::size_t>(channel);
}

}  // namespace

PostOffice::PostOffice(MPI_Comm parent) {
  check(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
  int size = 1;
  check(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
  size_ = static_cast<std::size_t>(size);
  for (auto* counts : {&posted_, &received_}) {
    for (auto& of_channel : *counts) of_channel.assign(size_, 0);
  }
}

PostOffice::~PostOffice() {
  // Nobody will ask for messages of a job that failed; MPI may read them until the process ends.
  if (!sending_.empty()) new std::list<Sending>(std::move(sending_));
  MPI_Comm_free(&comm_);
}

void PostOffice::post(Channel channel, Message message) {
  if (message.bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw InternalError("a message of 2^31 bytes or more was posted");
  }
  Sending& sending = sending_.emplace_back();
  sending.channel = channel;
  sending.message = std::move(message);
  const Bytes& bytes = sending.message.bytes;
  // Synchronous, so that it has left only once it is received: MPI would take in any number of
  // short ones for a rank that does not ask.
  check(MPI_Issend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, sending.message.peer,
                   static_cast<int>(channel), comm_, &sending.request),
        "MPI_Issend");
  ++posted_[index(channel)][static_cast<std::size_t>(sending.message.peer)];
}

void PostOffice::forget_sent() {
  for (auto sending = sending_.begin(); sending != sending_.end();) {
    int sent = 0;
    check(MPI_Test(&sending->request, &sent, MPI_STATUS_IGNORE), "MPI_Test");
    sending = sent != 0 ? sending_.erase(sending) : std::next(sending);
  }
}

std::size_t PostOffice::unsent(int peer) {
  forget_sent();
  std::size_t count = 0;
  for (const Sending& sending : sending_) count += sending.message.peer == peer ? 1U : 0U;
  return count;
}

Message PostOffice::receive(int source, Channel channel, const MPI_Status& status) {
  int size = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
  Message message{source, Bytes(static_cast<std::size_t>(size))};
  check(MPI_Recv(message.bytes.data(), size, MPI_BYTE, source, static_cast<int>(channel), comm_,
                 MPI_STATUS_IGNORE),
        "MPI_Recv");
  ++received_[index(channel)][static_cast<std::size_t>(source)];
  return message;
}

std::optional<Message> PostOffice::poll(Channel channel) {
  int there = 0;
  MPI_Status status;
  check(MPI_Iprobe(MPI_ANY_SOURCE, static_cast<int>(channel), comm_, &there, &status),
        "MPI_Iprobe");
  if (there == 0) {
    forget_sent();  // not for each of many that have come
    return std::nullopt;
  }
  return receive(status.MPI_SOURCE, channel, status);
}

// Receives all. A rank that knows how many were posted to it knows when it has them all.
std::vector<Message> PostOffice::drain(Channel channel) {
  auto& posted = posted_[index(channel)];
  auto& received = received_[index(channel)];
  std::vector<std::uint64_t> expected(size_);
  check(MPI_Alltoall(posted.data(), 1, MPI_UINT64_T, expected.data(), 1, MPI_UINT64_T, comm_),
        "MPI_Alltoall");
  std::vector<Message> all;
  for (std::size_t source = 0; source < size_; ++source) {
    while (received[source] < expected[source]) {
      MPI_Status status;
      check(MPI_Probe(static_cast<int>(source), static_cast<int>(channel), comm_, &status),
            "MPI_Probe");
      all.push_back(receive(static_cast<int>(source), channel, status));
    }
  }
  // Those of the other channel may have to wait until that is drained.
  for (auto sending = sending_.begin(); sending != sending_.end();) {
    if (sending->channel != channel) {
      ++sending;
      continue;
    }
    check(MPI_Wait(&sending->request, MPI_STATUS_IGNORE), "MPI_Wait");
    sending = sending_.erase(sending);
  }
  posted.assign(size_, 0);
  received.assign(size_, 0);
  return all;
}

}  // namespace atl::mpi
