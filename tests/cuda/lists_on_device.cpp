// Scoring decision lists on a GPU where it goes another way than in the contract's tests: batches
// in pieces, slots in device memory, many scorers at once, no room.
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/device/device.hpp"
#include "cuda/device/visible_devices.hpp"
#include "tests/cuda/device.hpp"
#include "tests/eval/random_lists.hpp"

namespace atl::test {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::vector<RuleSetCounts> scores_of(RuleSetScorer& scorer, std::span<const RuleSet> lists,
                                     bool staged) {
  scorer.prepare(lists, {{}, staged});
  scorer.start();
  scorer.finish();
  std::vector<RuleSetCounts> counts(lists.size());
  scorer.read(counts);
  return counts;
}

std::shared_ptr<Resident> load(const Dataset& data, std::uint64_t memory = 0) {
  return on_device([&] { return cuda::make_device({0, memory, false})->load(data); });
}

/// Whose own counts are compared with the reference's elsewhere.
std::vector<RuleSetCounts> expected_of(const Dataset& data, std::span<const RuleSet> lists) {
  ThreadPool pool(2);
  return scores_of(*make_cpu_device(pool)->load(data)->rule_set_scorer({8}), lists, false);
}

TEST(ListsOnDevice, BatchesInPieces) {
  const RandomTable table = classified_table(3, 3000, 30, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto resident = load(data, 16 * mebibyte);
  if (resident == nullptr) return;
  const auto lists = random_lists(3, 2000, data.attributes(), 20);  // 5 MB of counters
  const auto scorer = resident->rule_set_scorer({8});
  const auto expected = expected_of(data, lists);
  for (const bool staged : {false, true}) {
    EXPECT_EQ(scores_of(*scorer, lists, staged), expected);
  }
}

TEST(ListsOnDevice, SlotsInDeviceMemory) {
  const RandomTable table = classified_table(4, 9000, 4, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto resident = load(data);
  if (resident == nullptr) return;
  const auto lists = random_lists(4, 6, data.attributes(), 400, 12);
  const auto scorer = resident->rule_set_scorer({8});
  const auto expected = expected_of(data, lists);
  for (const bool staged : {false, true}) {
    EXPECT_EQ(scores_of(*scorer, lists, staged), expected);
  }
}

TEST(ListsOnDevice, ManyScorersAtOnce) {
  const RandomTable table = classified_table(5, 20000, 5, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto resident = load(data);
  if (resident == nullptr) return;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto scorer = resident->rule_set_scorer({8});
      for (std::uint64_t round = 0; round < 5; ++round) {
        const auto lists = random_lists(10 * t + round, 10 + 7 * round, data.attributes(), 12);
        EXPECT_EQ(scores_of(*scorer, lists, round % 2 == 1), expected_of(data, lists));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(resident->device().busy_seconds()->counts, 0);
}

// The first GPU and the last one, which are the same where there is one alone.
TEST(ListsOnDevice, HalvesOfAPopulationOnTwoGpus) {
  const RandomTable table = classified_table(7, 20000, 5, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto first = load(data);
  if (first == nullptr) return;
  const auto last =
      cuda::make_device({cuda::visible_devices().back().number, 0, false})->load(data);
  const std::vector<RuleSet> lists = random_lists(7, 101, data.attributes(), 12);
  const std::span<const RuleSet> halves[] = {std::span(lists).first(51),
                                             std::span(lists).subspan(51)};
  const std::unique_ptr<RuleSetScorer> scorers[] = {first->rule_set_scorer({8}),
                                                    last->rule_set_scorer({8})};
  for (std::size_t i = 0; i < 2; ++i) scorers[i]->prepare(halves[i], {});
  for (const auto& scorer : scorers) scorer->start();
  for (const auto& scorer : scorers) scorer->finish();
  std::vector<RuleSetCounts> counts(lists.size());
  scorers[0]->read(std::span(counts).first(51));
  scorers[1]->read(std::span(counts).subspan(51));
  EXPECT_EQ(counts, expected_of(data, lists));
}

TEST(ListsOnDevice, TheCpuScoresWhatTheDeviceHasNoRoomFor) {
  const RandomTable table = classified_table(6, 100'000, 3, false);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto resident = load(data, mebibyte / 2);  // the rows themselves pass through
  if (resident == nullptr) return;
  const auto lists = random_lists(6, 10, data.attributes(), 8);
  EXPECT_EQ(scores_of(*resident->rule_set_scorer({8}), lists, false), expected_of(data, lists));
}

}  // namespace
}  // namespace atl::test
