// Growing rules on a GPU where it goes another way than in the contract's tests: masks in device
// memory, many growers at once, no room, timing.
#include <thread>

#include <gtest/gtest.h>

#include "cuda/device/device.hpp"
#include "src/eval/device.hpp"
#include "tests/cuda/device.hpp"
#include "tests/eval/growth_tasks.hpp"

namespace atl::test {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::shared_ptr<Resident> load(const Dataset& data, std::uint64_t memory = 0) {
  return on_device([&] { return cuda::make_device({0, memory, false})->load(data); });
}

/// Which is compared with the reference elsewhere.
std::vector<std::optional<Grown>> expected_of(const GrowthBatch& batch) {
  return grown_by(*make_cpu_rule_grower(make_growth_threads(batch.sample(), batch.settings())),
                  batch.tasks());
}

void expect_equal(const GrowthCase& of) {
  const GrowthBatch batch(of);
  const auto resident = load(batch.data());
  if (resident == nullptr) return;
  const auto grower = resident->rule_grower(batch.sample(), batch.settings());
  EXPECT_EQ(grown_by(*grower, batch.tasks()), expected_of(batch));
}

TEST(GrowthOnDevice, MasksInDeviceMemory) {
  GrowthCase of;
  of.rows = 100;
  of.attributes = 13000;  // of those with missing values a block keeps a balance each
  of.tasks = 6;
  expect_equal(of);
}

TEST(GrowthOnDevice, OfManyRows) {
  for (const double balance : {0.0, 1.0}) {
    GrowthCase of;
    of.rows = 60000;
    of.attributes = 12;
    of.numbers = 1500;
    of.balance = balance;
    of.most_rules = 40;
    of.tasks = 200;
    expect_equal(of);
  }
}

TEST(GrowthOnDevice, ManyGrowersAtOnce) {
  GrowthCase of;
  of.rows = 3000;
  of.tasks = 150;
  const GrowthBatch batch(of);
  const auto resident = load(batch.data());
  if (resident == nullptr) return;
  const auto expected = expected_of(batch);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const auto grower = resident->rule_grower(batch.sample(), batch.settings());
      for (int round = 0; round < 5; ++round) {
        EXPECT_EQ(grown_by(*grower, batch.tasks()), expected);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(resident->device().busy_seconds()->fits, 0);
}

TEST(GrowthOnDevice, IsReadyInTheEnd) {
  const GrowthBatch batch({});
  const auto resident = load(batch.data());
  if (resident == nullptr) return;
  const auto grower = resident->rule_grower(batch.sample(), batch.settings());
  grower->start(batch.tasks());
  while (!grower->ready()) std::this_thread::yield();
  std::vector<std::optional<Grown>> grown(batch.tasks().size());
  grower->read(grown);
  EXPECT_EQ(grown, expected_of(batch));
}

TEST(GrowthOnDevice, TheCpuGrowsWhatTheDeviceHasNoRoomFor) {
  GrowthCase of;
  of.rows = 50000;
  of.tasks = 5;
  const GrowthBatch batch(of);
  const auto resident = load(batch.data(), mebibyte / 2);  // the rows themselves pass through
  if (resident == nullptr) return;
  const auto grower = resident->rule_grower(batch.sample(), batch.settings());
  EXPECT_EQ(grown_by(*grower, batch.tasks()), expected_of(batch));
}

}  // namespace
}  // namespace atl::test
