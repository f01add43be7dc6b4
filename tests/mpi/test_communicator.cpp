#include <gtest/gtest.h>
#include <mpi.h>

#include "mpi/communicator.hpp"
#include "tests/mpi/world.hpp"

namespace atl::test {
namespace {

/// Bytes that tell who made them and for what.
Bytes bytes_of(int rank, int purpose, std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>(
        (static_cast<std::size_t>(rank) * 31 + static_cast<std::size_t>(purpose) * 7 + i) % 251);
  }
  return bytes;
}

/// The same checks with messages in one piece and cut into pieces of 7 bytes.
class Ranks : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    int initialised = 0;
    MPI_Initialized(&initialised);
    if (initialised == 0) GTEST_SKIP() << "not started by an MPI launcher";
    comm_ = std::make_unique<mpi::MpiCommunicator>(MPI_COMM_WORLD, GetParam());
  }
  std::unique_ptr<mpi::MpiCommunicator> comm_;
};

TEST_P(Ranks, AreThoseOfTheWorld) {
  EXPECT_EQ(comm_->rank(), world().rank());
  EXPECT_EQ(comm_->size(), world().size());
  comm_->barrier();
}

TEST_P(Ranks, SumModulo2To64) {
  std::vector<std::uint64_t> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i + static_cast<std::uint64_t>(comm_->rank());
  }
  values[7] = ~std::uint64_t{0};
  comm_->all_reduce_sum(values);
  const auto size = static_cast<std::uint64_t>(comm_->size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i], i == 7 ? 0 - size : i * size + size * (size - 1) / 2);
  }
}

TEST_P(Ranks, SplitByColour) {
  const int rank = comm_->rank(), colour = rank % 2;
  const auto part = comm_->split(colour);
  EXPECT_EQ(part->rank(), rank / 2);
  EXPECT_EQ(part->size(), (comm_->size() + 1 - colour) / 2);
  EXPECT_EQ(part->broadcast(bytes_of(rank, 5, 20), 0), bytes_of(colour, 5, 20));
}

TEST_P(Ranks, GatherDifferentSizes) {
  const auto size_of = [](int rank) { return static_cast<std::size_t>(rank) * 20; };
  const Bytes mine = bytes_of(comm_->rank(), 1, size_of(comm_->rank()));
  const auto check = [&](const std::vector<Bytes>& all) {
    ASSERT_EQ(all.size(), static_cast<std::size_t>(comm_->size()));
    for (int rank = 0; rank < comm_->size(); ++rank) {
      EXPECT_EQ(all[static_cast<std::size_t>(rank)], bytes_of(rank, 1, size_of(rank)));
    }
  };
  check(comm_->all_gather(mine));
  const int root = comm_->size() - 1;
  const auto gathered = comm_->gather(mine, root);
  if (comm_->rank() == root) {
    check(gathered);
  } else {
    EXPECT_TRUE(gathered.empty());
  }
}

TEST_P(Ranks, BroadcastFromAnyRoot) {
  for (int root = 0; root < comm_->size(); ++root) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{6}, std::size_t{7}, std::size_t{50}}) {
      const Bytes mine = comm_->rank() == root ? bytes_of(root, 2, size) : bytes_of(9, 9, 3);
      EXPECT_EQ(comm_->broadcast(mine, root), bytes_of(root, 2, size));
    }
  }
}

// Ranks begin and ask at different times, and do other things meanwhile.
TEST_P(Ranks, SumsComeWithoutWaiting) {
  const auto ranks = static_cast<std::uint64_t>(comm_->size());
  const auto rank = static_cast<std::uint64_t>(comm_->rank());
  for (std::uint64_t round = 0; round < 20; ++round) {
    comm_->begin_sum({rank, round, ~std::uint64_t{0}});
    if (round % 3 == 0) comm_->barrier();
    std::optional<std::vector<std::uint64_t>> sum;
    while (!(sum = comm_->poll_sum())) std::this_thread::yield();
    EXPECT_EQ(*sum,
              (std::vector<std::uint64_t>{ranks * (ranks - 1) / 2, ranks * round, 0 - ranks}));
  }
}

// Every rank posts to each, itself included; some are polled, in any order, the rest drained. Large
// ones leave only once they are received.
TEST_P(Ranks, PostsArriveOnceAndInOrder) {
  constexpr int rounds = 6;
  const auto size_of = [](int round) { return round == 4 ? std::size_t{300'000} : 11U; };
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (int round = 0; round < rounds; ++round) {
      for (int to = 0; to < comm_->size(); ++to) {
        for (const Channel channel : {Channel::migration, Channel::control}) {
          const int purpose = 10 * round + static_cast<int>(channel);
          comm_->post(channel, {to, bytes_of(comm_->rank(), purpose, size_of(round))});
        }
      }
    }
    std::vector<Message> got;
    while (got.size() < 3) {
      if (auto message = comm_->poll(Channel::migration)) got.push_back(std::move(*message));
    }
    for (auto& message : comm_->drain(Channel::migration)) got.push_back(std::move(message));
    const auto control = comm_->drain(Channel::control);
    for (int from = 0; from < comm_->size(); ++from) EXPECT_EQ(comm_->unsent(from), 0U);
    for (const Channel channel : {Channel::migration, Channel::control}) {
      const auto& messages = channel == Channel::control ? control : got;
      EXPECT_EQ(messages.size(), static_cast<std::size_t>(comm_->size() * rounds));
      std::vector<int> next(static_cast<std::size_t>(comm_->size()), 0);
      for (const Message& message : messages) {
        const int round = next.at(static_cast<std::size_t>(message.peer))++;
        const int purpose = 10 * round + static_cast<int>(channel);
        EXPECT_EQ(message.bytes, bytes_of(message.peer, purpose, size_of(round)));
      }
    }
    for (std::size_t i = 1; i < control.size(); ++i) {
      EXPECT_LE(control[i - 1].peer, control[i].peer);
    }
  }
  EXPECT_FALSE(comm_->poll(Channel::migration));
}

TEST_P(Ranks, FailedCallsThrowWithMpisText) {
  try {
    comm_->broadcast(bytes_of(0, 0, 3), comm_->size());
    FAIL() << "a root that does not exist was taken";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("MPI_Bcast: MPI_ERR_ROOT"), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Pieces, Ranks, testing::Values(std::size_t{1} << 30, std::size_t{7}));

}  // namespace
}  // namespace atl::test
