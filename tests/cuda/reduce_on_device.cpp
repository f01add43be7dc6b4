// Sums of a team of one member, whose numbers still pass through its GPU and NCCL. Teams of several
// need a process for each, see docs/development.md.
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/device/visible_devices.hpp"
#include "cuda/reduce/reducer.hpp"
#include "src/core/communicator.hpp"
#include "tests/cuda/device.hpp"

namespace atl::cuda {
namespace {

using Numbers = std::vector<std::uint64_t>;

class ReduceOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    devices_ = test::on_device([] {
      auto devices = visible_devices();
      open_device(devices.front());
      return devices;
    });
    if (IsSkipped()) return;
    auto [reducer, reason, chosen] = make();
    if (!reducer && test::device_required()) FAIL() << reason;
    if (!reducer) GTEST_SKIP() << reason;
    reducer_ = std::move(reducer);
  }

  TeamReducer make() { return make_nccl_reducer(alone_, &devices_.front()); }

  Numbers sum_of(const Numbers& numbers) {
    reducer_->begin(numbers);
    while (true) {
      if (auto sums = reducer_->poll()) return std::move(*sums);
      std::this_thread::yield();
    }
  }

  LocalCommunicator alone_;
  std::vector<VisibleDevice> devices_;
  std::unique_ptr<Reducer> reducer_;
};

/// All bits of a number are in use.
Numbers numbers(std::size_t count, std::uint64_t seed) {
  Numbers all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = (i + seed) * 0x9e3779b97f4a7c15;
  return all;
}

TEST_F(ReduceOnDevice, IsCalledWhatItIs) {
  EXPECT_STREQ(reducer_->name(), "nccl");
  EXPECT_EQ(reducer_->reason(), "");
}

TEST_F(ReduceOnDevice, AnyNumberOfNumbers) {
  for (const std::size_t count : {0u, 1u, 1000u, 1'000'000u, 3u, 0u, 2'000'000u}) {
    EXPECT_TRUE(sum_of(numbers(count, 5)) == numbers(count, 5)) << count;
  }
}

TEST_F(ReduceOnDevice, ManyInARow) {
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Numbers some = numbers(1 + i % 2000, i);
    ASSERT_TRUE(sum_of(some) == some) << i;
  }
}

TEST_F(ReduceOnDevice, ThatIsNeverUsed) {
  reducer_.reset();
  EXPECT_NE(make().reducer, nullptr);
}

TEST_F(ReduceOnDevice, EndsWithASumUnderWay) {
  for (int i = 0; i < 5; ++i) {
    reducer_->begin(numbers(4'000'000, 1));
    if (i % 2 == 1) (void)reducer_->poll();  // now NCCL has it
    reducer_ = make().reducer;
    ASSERT_NE(reducer_, nullptr);
  }
  EXPECT_EQ(sum_of({7}), Numbers{7});
}

TEST_F(ReduceOnDevice, SeveralAtATime) {
  auto [other, reason, chosen] = make();
  ASSERT_NE(other, nullptr) << reason;
  other->begin({3});
  EXPECT_EQ(sum_of({7, 8}), (Numbers{7, 8}));
  std::optional<Numbers> sums;
  while (!(sums = other->poll())) std::this_thread::yield();
  EXPECT_EQ(*sums, Numbers{3});
}

TEST_F(ReduceOnDevice, OfADeviceThatIsNotThere) {
  VisibleDevice missing = devices_.front();
  missing.number = 1000;
  const auto [reducer, reason, chosen] = make_nccl_reducer(alone_, &missing);
  EXPECT_EQ(reducer, nullptr);
  EXPECT_NE(reason.find("rank 0 of the team: "), std::string::npos) << reason;
}

}  // namespace
}  // namespace atl::cuda
