#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/exhaustive/uncertain/uncertain_task.hpp"
#include "tests/exhaustive/small_search.hpp"
#include "tests/exhaustive/uncertain/uncertain_reference.hpp"
#include "tests/work/task_in_pieces.hpp"

namespace atl::test {
namespace {

/// Lines "items (probability) rows".
class UncertainLines final : public UncertainText {
 public:
  explicit UncertainLines(WriteText write) : write_(std::move(write)) {}
  void add(std::uint32_t item) override { prefix_.push_back(item); }
  void remove() override { prefix_.pop_back(); }
  void found(const UncertainSupport& support) override {
    write_(line(prefix_, support.probability, support.rows));
  }
  void finish() override {}

  static std::string line(const std::vector<std::uint32_t>& items, double probability,
                          std::uint64_t rows) {
    std::string text;
    for (const std::uint32_t item : items) text += fmt::format("{} ", item);
    return text + fmt::format("({:.9f}) {}\n", probability, rows);
  }

 private:
  WriteText write_;
  std::vector<std::uint32_t> prefix_;
};

enum class Means { cores, reference };

struct Asked {
  UncertainLimits limits;
  std::uint32_t min_length = 1, max_length = ~std::uint32_t{0};
};

std::string found_text(const TransactionSet& transactions, const Asked& asked, Means means,
                       std::uint64_t seed, unsigned threads) {
  UncertainTaskParts parts;
  parts.sets.data = "data";
  parts.sets.read = [&] { return transactions; };
  parts.sets.min_count = [&](std::uint64_t) { return asked.limits.min_count; };
  parts.sets.limits = {.min_count = asked.limits.min_count,
                       .min_length = asked.min_length,
                       .max_length = asked.max_length};
  parts.sets.lists = asked.limits.probabilities;
  parts.min_probability = asked.limits.min_probability;
  parts.make_text = [](const std::vector<std::string>&, WriteText write) {
    return std::make_unique<UncertainLines>(std::move(write));
  };
  const auto choose = [means](std::uint64_t, Worker& worker) -> MakeUncertainMeans {
    if (means == Means::reference) return reference_means;
    return means_of_cores(worker.pool);
  };
  const auto make = [&] { return std::make_unique<UncertainTask>(parts, choose); };
  return TaskInPieces(make, seed, threads).run().text;
}

/// Sets of transactions, all of them looked at, world by world.
std::string text_of_worlds(const TransactionSet& transactions, const Asked& asked) {
  std::string text;
  const ItemsetLimits all{
      .min_count = 1, .min_length = asked.min_length, .max_length = asked.max_length};
  for (const auto& [items, rows] : listed_sets(transactions, all)) {
    const auto tail =
        static_cast<double>(tail_of_worlds(cover_of(transactions, items), asked.limits.min_count));
    if (tail < asked.limits.min_probability - 1e-12) continue;
    text += UncertainLines::line(items, tail, rows);
  }
  return text;
}

TransactionSet with(TransactionSet transactions, std::vector<double> probabilities) {
  return std::move(transactions).with_probabilities(std::move(probabilities));
}

TEST(UncertainTask, FindsTheSetsOfTheThesis) {
  // Kozawa 2016, table 3.1
  const TransactionSet transactions =
      with(transactions_of(3, {{0, 1}, {1, 2}, {0}, {0, 1, 2}}), {0.8, 0.7, 0.9, 0.5});
  const Asked asked{{.min_count = 2, .min_probability = 0.5}};
  EXPECT_EQ(found_text(transactions, asked, Means::cores, 1, 2),
            "0 (0.850000000) 3\n1 (0.750000000) 3\n");
  const Asked less{{.min_count = 2, .min_probability = 0.4}};
  EXPECT_EQ(found_text(transactions, less, Means::cores, 1, 2), text_of_worlds(transactions, less));
}

TEST(UncertainTask, EqualityIsEnough) {
  const TransactionSet transactions = with(transactions_of(2, {{0, 1}, {0}, {0}}), {0.5, 0.1, 0.7});
  const Asked asked{{.min_count = 1, .min_probability = 0.5}};
  EXPECT_EQ(found_text(transactions, asked, Means::cores, 1, 1),
            "0 (0.865000000) 3\n1 (0.500000000) 1\n1 0 (0.500000000) 1\n");
  Asked more = asked;
  more.limits.min_probability = 0.5 + 2e-12;
  EXPECT_EQ(found_text(transactions, more, Means::cores, 1, 1), "0 (0.865000000) 3\n");
}

TEST(UncertainTask, FindsThoseOfAllWorlds) {
  EXPECT_TRUE(rc::check([] {
    SmallSearch search = any_small_search();
    RandomStream draw({*rc::gen::arbitrary<std::uint64_t>(), 0, 0, 0, Purpose::test});
    // Worlds are enumerated: of 10 transactions.
    ItemLists lists;
    for (std::uint32_t t = 0; t < std::min(10U, search.transactions.size()); ++t) {
      const auto items = search.transactions.transaction(t);
      lists.emplace_back(
          items.begin(),
          items.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(6, items.size())));
    }
    const TransactionSet transactions =
        with(transactions_of(search.transactions.item_count(), lists),
             random_probabilities(draw, lists.size()));
    Asked asked;
    asked.limits.min_count = 1 + draw.below(4);
    asked.limits.min_probability = draw.chance(0.3) ? 0.5 : 1 - draw.next_double();
    asked.min_length = search.limits.min_length;
    asked.max_length = search.limits.max_length;
    asked.limits.bounds = draw.chance(0.5);
    const std::string expected = text_of_worlds(transactions, asked);
    const auto means = draw.chance(0.3) ? Means::reference : Means::cores;
    RC_ASSERT(found_text(transactions, asked, means, draw.below(1000), 2) == expected);
  }));
}

TEST(UncertainTask, CertainTransactionsAreItemsets) {
  EXPECT_TRUE(rc::check([] {
    const SmallSearch search = any_small_search();
    Asked asked;
    asked.limits.min_count = search.limits.min_count;
    asked.limits.min_probability = 0.9;
    asked.min_length = search.limits.min_length;
    asked.max_length = search.limits.max_length;
    std::string expected;
    for (const auto& [items, rows] : listed_sets(search.transactions, search.limits)) {
      expected += UncertainLines::line(items, 1, rows);
    }
    RC_ASSERT(found_text(search.transactions, asked, Means::cores, 5, 2) == expected);
  }));
}

TEST(UncertainTask, BoundsAndCountsAloneChangeNoSets) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RandomStream draw({seed, 0, 0, 0, Purpose::test});
    const ItemLists lists =
        random_lists(draw, 400, {0.9, 0.8, 0.7, 0.6, 0.5, 0.5, 0.4, 0.3, 0.2, 0.1});
    const TransactionSet transactions =
        with(transactions_of(10, lists), random_probabilities(draw, lists.size()));
    Asked asked;
    asked.limits.min_count = 20 + draw.below(60);
    asked.limits.min_probability = seed % 3 == 0 ? 1e-8 : 0.5;
    const std::string expected = found_text(transactions, asked, Means::reference, seed, 1);
    EXPECT_EQ(found_text(transactions, asked, Means::cores, seed, 3), expected);
    asked.limits.bounds = false;
    EXPECT_EQ(found_text(transactions, asked, Means::cores, seed, 3), expected);
    asked.limits.probabilities = false;
    asked.limits.bounds = true;
    std::vector<std::uint64_t> numbers;
    const std::string counted = found_text(transactions, asked, Means::cores, seed, 3);
    std::uint64_t sets = 0;
    for (std::size_t at = counted.find('\n'); at + 1 < counted.size();
         at = counted.find('\n', at + 1)) {
      sets += std::stoull(counted.substr(counted.find('\t', at) + 1));
    }
    EXPECT_EQ(sets, static_cast<std::uint64_t>(std::count(expected.begin(), expected.end(), '\n')));
  }
}

}  // namespace
}  // namespace atl::test
