#include "mpi/communicator.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <numeric>

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

/// Non-blocking messages in flight, each in pieces that MPI can count; complete() before the
/// buffers go. Pieces of a pair of ranks arrive in the order they were sent.
class MpiCommunicator::Transfers {
 public:
  explicit Transfers(const MpiCommunicator& communicator) : communicator_(communicator) {}

  void send(std::span<const std::byte> bytes, int to) {
    for_pieces(bytes, [&](std::span<const std::byte> piece) {
      check(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, 0,
                      communicator_.comm_, &requests_.emplace_back()),
            "MPI_Isend");
    });
  }
  void receive(std::span<std::byte> bytes, int from) {
    for_pieces(bytes, [&](std::span<std::byte> piece) {
      check(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, 0,
                      communicator_.comm_, &requests_.emplace_back()),
            "MPI_Irecv");
    });
  }
  void complete() {
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
  }

 private:
  template <typename Byte, typename Use>
  void for_pieces(std::span<Byte> bytes, Use use) {
    while (!bytes.empty()) {
      const auto piece = bytes.first(std::min(bytes.size(), communicator_.largest_message_));
      use(piece);
      bytes = bytes.subspan(piece.size());
    }
  }
  const MpiCommunicator& communicator_;
  std::vector<MPI_Request> requests_;
};

MpiCommunicator::MpiCommunicator(MPI_Comm parent, std::size_t largest_message)
    : largest_message_(largest_message) {
  check(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
  posts_ = std::make_unique<PostOffice>(comm_);
  sum_ = std::make_unique<PendingSum>(comm_);
}

MpiCommunicator::~MpiCommunicator() {
  posts_.reset();
  sum_.reset();
  MPI_Comm_free(&comm_);
}

void MpiCommunicator::barrier() {
  check(MPI_Barrier(comm_), "MPI_Barrier");
}

void MpiCommunicator::all_reduce_sum(std::span<std::uint64_t> values) {
  const std::size_t most = std::max<std::size_t>(1, largest_message_ / sizeof(std::uint64_t));
  while (!values.empty()) {
    const auto piece = values.first(std::min(values.size(), most));
    check(MPI_Allreduce(MPI_IN_PLACE, piece.data(), static_cast<int>(piece.size()), MPI_UINT64_T,
                        MPI_SUM, comm_),
          "MPI_Allreduce");
    values = values.subspan(piece.size());
  }
}

std::vector<std::uint64_t> MpiCommunicator::all_sizes(std::uint64_t mine) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
  check(MPI_Allgather(&mine, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, comm_),
        "MPI_Allgather");
  return sizes;
}

namespace {

/// Places of the bytes of each rank in one buffer that holds those of all.
struct Layout {
  explicit Layout(std::span<const std::uint64_t> all_sizes) {
    for (const std::uint64_t size : all_sizes) {
      sizes.push_back(static_cast<int>(size));
      begins.push_back(static_cast<int>(total));
      total += size;
    }
  }
  std::vector<Bytes> cut(const Bytes& all) const {
    std::vector<Bytes> parts;
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
      const auto begin = all.begin() + begins[rank];
      parts.emplace_back(begin, begin + sizes[rank]);
    }
    return parts;
  }

  std::vector<int> sizes, begins;
  std::size_t total = 0;
};

}  // namespace

// Gathers the bytes of all. What is too long for MPI's counts is broadcast by one rank after the
// other.
std::vector<Bytes> MpiCommunicator::all_gather(std::span<const std::byte> bytes) {
  const auto sizes = all_sizes(bytes.size());
  if (std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}) > largest_message_) {
    std::vector<Bytes> all;
    for (int rank = 0; rank < size_; ++rank) {
      all.push_back(broadcast(rank == rank_ ? Bytes(bytes.begin(), bytes.end()) : Bytes(), rank));
    }
    return all;
  }
  const Layout layout(sizes);
  Bytes all(layout.total);
  check(MPI_Allgatherv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, all.data(),
                       layout.sizes.data(), layout.begins.data(), MPI_BYTE, comm_),
        "MPI_Allgatherv");
  return layout.cut(all);
}

std::vector<Bytes> MpiCommunicator::gather(std::span<const std::byte> bytes, int root) {
  const auto sizes = all_sizes(bytes.size());
  std::vector<Bytes> all;
  Transfers transfers(*this);
  if (rank_ == root) {
    for (const std::uint64_t size : sizes) all.emplace_back(size);
    std::copy(bytes.begin(), bytes.end(), all[static_cast<std::size_t>(root)].begin());
    for (int peer = 0; peer < size_; ++peer) {
      if (peer != root) transfers.receive(all[static_cast<std::size_t>(peer)], peer);
    }
  } else {
    transfers.send(bytes, root);
  }
  transfers.complete();
  return all;
}

Bytes MpiCommunicator::broadcast(Bytes bytes, int root) {
  std::uint64_t size = bytes.size();
  check(MPI_Bcast(&size, 1, MPI_UINT64_T, root, comm_), "MPI_Bcast");
  bytes.resize(size);
  std::span<std::byte> left(bytes);
  while (!left.empty()) {
    const auto piece = left.first(std::min(left.size(), largest_message_));
    check(MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, root, comm_),
          "MPI_Bcast");
    left = left.subspan(piece.size());
  }
  return bytes;
}

void MpiCommunicator::post(Channel channel, Message message) {
  posts_->post(channel, std::move(message));
}

std::size_t MpiCommunicator::unsent(int peer) {
  return posts_->unsent(peer);
}

std::optional<Message> MpiCommunicator::poll(Channel channel) {
  return posts_->poll(channel);
}

std::vector<Message> MpiCommunicator::drain(Channel channel) {
  return posts_->drain(channel);
}

std::unique_ptr<Communicator> MpiCommunicator::split(int colour) {
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(comm_, colour, rank_, &part), "MPI_Comm_split");
  auto made = std::make_unique<MpiCommunicator>(part, largest_message_);
  check(MPI_Comm_free(&part), "MPI_Comm_free");
  return made;
}

void MpiCommunicator::abort(ExitStatus status) noexcept {
  MPI_Abort(comm_, static_cast<int>(status));
  std::_Exit(static_cast<int>(status));
}

}  // namespace atl::mpi
