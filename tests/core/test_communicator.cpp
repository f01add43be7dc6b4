#include <gtest/gtest.h>

#include "src/core/communicator.hpp"

namespace atl {
namespace {

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(LocalCommunicator, IsAWorldOfOne) {
  LocalCommunicator world;
  EXPECT_EQ(world.rank(), 0);
  EXPECT_EQ(world.size(), 1);
  std::vector<std::uint64_t> values = {1, 2};
  world.all_reduce_sum(values);
  EXPECT_EQ(values, (std::vector<std::uint64_t>{1, 2}));
  world.begin_sum({3, 4});
  EXPECT_EQ(world.poll_sum(), (std::vector<std::uint64_t>{3, 4}));
  EXPECT_EQ(world.all_gather(bytes_of({1, 2})), std::vector<Bytes>{bytes_of({1, 2})});
  EXPECT_EQ(world.gather(bytes_of({3}), 0), std::vector<Bytes>{bytes_of({3})});
  EXPECT_EQ(world.broadcast(bytes_of({4}), 0), bytes_of({4}));
}

TEST(LocalCommunicator, KeepsPostsUntilTheyAreAskedFor) {
  LocalCommunicator world;
  for (const int value : {1, 2, 3}) world.post(Channel::migration, {0, bytes_of({value})});
  world.post(Channel::control, {0, bytes_of({4})});
  EXPECT_EQ(world.unsent(0), 0U);
  EXPECT_EQ(world.poll(Channel::migration)->bytes, bytes_of({1}));
  EXPECT_EQ(world.poll(Channel::control)->bytes, bytes_of({4}));
  EXPECT_FALSE(world.poll(Channel::control));
  const auto left = world.drain(Channel::migration);
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[1].bytes, bytes_of({3}));
  EXPECT_TRUE(world.drain(Channel::migration).empty());
}

}  // namespace
}  // namespace atl
