// The pipeline of Kozawa 2016 on a device, against the reference.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/uncertain/thesis_pipeline.hpp"
#include "src/core/random.hpp"
#include "src/exhaustive/uncertain/tails.hpp"
#include "tests/cuda/device.hpp"

namespace atl::test {
namespace {

/// Items 0, 1, ... of which item i is in a transaction with a probability that falls with i.
TransactionSet drawn_transactions(std::uint32_t rows, std::uint32_t items) {
  RandomStream stream({.seed = 7, .slot = rows, .purpose = Purpose::generate});
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < items; ++i) names.push_back(std::to_string(i));
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> entries;
  std::vector<double> probabilities;
  for (std::uint32_t t = 0; t < rows; ++t) {
    for (std::uint32_t i = 0; i < items; ++i) {
      if (stream.next_double() < 0.95 - 0.9 * i / items) entries.push_back(i);
    }
    starts.push_back(entries.size());
    probabilities.push_back(t % 50 == 3 ? 1 : 1 - stream.next_double());
  }
  return TransactionSet(std::move(names), std::move(starts), std::move(entries))
      .with_probabilities(std::move(probabilities));
}

std::vector<std::uint32_t> all_items(const TransactionSet& transactions) {
  std::vector<std::uint32_t> items(transactions.item_count());
  for (std::uint32_t i = 0; i < items.size(); ++i) items[i] = i;
  return items;
}

/// All sets of so many items.
RankedSets all_sets(std::uint32_t items, std::uint32_t length) {
  RankedSets sets{length, {}};
  std::vector<bool> chosen(items, false);
  std::fill(chosen.begin(), chosen.begin() + length, true);
  do {
    for (std::uint32_t i = items; i-- > 0;) {
      if (chosen[i]) sets.ranks.push_back(i);
    }
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return sets;
}

std::vector<double> probabilities_of(const TransactionSet& transactions,
                                     std::span<const std::uint32_t> set) {
  std::vector<double> probabilities;
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    const auto row = transactions.transaction(t);
    const bool has = std::all_of(set.begin(), set.end(), [&](std::uint32_t item) {
      return std::binary_search(row.begin(), row.end(), item);
    });
    if (has) probabilities.push_back(transactions.probabilities()[t]);
  }
  return probabilities;
}

void expect_as_reference(const cuda::ThesisSupports& found, const RankedSets& sets,
                         const TransactionSet& transactions, const cuda::ThesisLeast& least,
                         bool distributions) {
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::vector<double> probabilities = probabilities_of(transactions, sets[s]);
    double expected = 0;
    for (const double p : probabilities) expected += p;
    ASSERT_EQ(found.counts[s], probabilities.size());
    EXPECT_NEAR(found.expected[s], expected, 1e-9);
    ASSERT_EQ(found.probabilities[s].has_value(), distributions && !found.pruned[s]);
    const double tail =
        probabilities.size() < least.support ? 0 : reference_tail(probabilities, least.support);
    if (found.pruned[s]) {
      EXPECT_LT(tail, least.probability);
    } else if (distributions) {
      EXPECT_NEAR(*found.probabilities[s], tail, 1e-9);
    }
  }
}

/// Looks at single items, pairs, and sets of three.
void expect_levels(const TransactionSet& transactions, const cuda::ThesisOptions& options,
                   const cuda::ThesisLeast& least) {
  const std::vector<std::uint32_t> items = all_items(transactions);
  ThreadPool pool(2);
  const auto pipeline =
      on_device([&] { return cuda::make_thesis_pipeline(transactions, items, pool); });
  if (pipeline == nullptr) return;
  std::vector<bool> kept;  // of sets of the level before, in the order of all_sets()
  for (std::uint32_t length = 1; length <= 3; ++length) {
    RankedSets sets = all_sets(transactions.item_count(), length);
    const cuda::ThesisSupports found = pipeline->extract(sets, least, options);
    expect_as_reference(found, sets, transactions, least, options.distributions);
    EXPECT_GT(found.seconds.wall, 0);
    if (std::find(found.pruned.begin(), found.pruned.end(), true) != found.pruned.end()) break;
  }
}

cuda::ThesisOptions plain_options() {
  cuda::ThesisOptions options;
  options.host_singles = options.and_parents = options.find_bits = false;
  options.filter = options.several = false;
  options.shared = cuda::ThesisShared::none;
  return options;
}

/// Each step of the thesis, one after the other.
std::vector<cuda::ThesisOptions> steps_of_thesis() {
  std::vector<cuda::ThesisOptions> steps{plain_options()};
  const auto next = [&]() -> cuda::ThesisOptions& { return steps.emplace_back(steps.back()); };
  next().host_singles = true;
  next().and_parents = true;
  next().find_bits = true;
  next().filter = true;
  cuda::ThesisOptions& scatter = next();
  scatter.shared = cuda::ThesisShared::scatter;
  scatter.shared_levels = 7;
  next() = cuda::ThesisOptions{.several = false};
  next() = cuda::ThesisOptions{};
  return steps;
}

class ThesisOnDevice : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ThesisOnDevice, FindsWhatTheReferenceFinds) {
  const TransactionSet transactions = drawn_transactions(GetParam(), 6);
  const bool with_fft = !cuda::fft_missing();
  for (cuda::ThesisOptions options : steps_of_thesis()) {
    options.distributions = with_fft;
    for (const std::uint32_t share : {50U, 8U, 3U}) {
      expect_levels(transactions, options, {std::max(1U, GetParam() / share), 0.3});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, ThesisOnDevice,
                         testing::Values(1, 2, 31, 32, 33, 255, 256, 257, 1000, 5000));

TEST(ThesisOnDevice, JoinsSmallDistributionsWithoutTransforms) {
  const TransactionSet transactions = drawn_transactions(300, 6);
  for (const auto shared : {cuda::ThesisShared::gather, cuda::ThesisShared::scatter}) {
    for (const bool several : {false, true}) {
      cuda::ThesisOptions options;
      options.shared = shared;
      options.shared_levels = 9;
      options.several = several;
      expect_levels(transactions, options, {20, 0.1});
    }
  }
}

TEST(ThesisOnDevice, RefusesSetsWithoutParents) {
  const TransactionSet transactions = drawn_transactions(100, 4);
  const std::vector<std::uint32_t> items = all_items(transactions);
  ThreadPool pool(1);
  const auto pipeline =
      on_device([&] { return cuda::make_thesis_pipeline(transactions, items, pool); });
  if (pipeline == nullptr) return;
  EXPECT_THROW(pipeline->extract(all_sets(4, 2), {1, 0.5}, {}), InternalError);
}

TEST(ThesisOnDevice, TakesNoCandidates) {
  const TransactionSet transactions = drawn_transactions(100, 4);
  const std::vector<std::uint32_t> items = all_items(transactions);
  ThreadPool pool(1);
  const auto pipeline =
      on_device([&] { return cuda::make_thesis_pipeline(transactions, items, pool); });
  if (pipeline == nullptr) return;
  EXPECT_TRUE(pipeline->extract({1, {}}, {1, 0.5}, {}).counts.empty());
  EXPECT_TRUE(pipeline->extract({2, {}}, {1, 0.5}, {}).counts.empty());
}

}  // namespace
}  // namespace atl::test
