// What the members of a team count on their shards, for every kind of device.
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/dataset.hpp"
#include "src/data/divide.hpp"
#include "src/data/shared_dataset.hpp"
#include "tests/eval/backend.hpp"
#include "tests/eval/interval_groups.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"

namespace atl::test {
namespace {

/// Of a table with a number that a mean may be about.
class DividedCounts : public testing::Test {
 protected:
  static std::optional<std::uint32_t> number_of(std::span<const Attribute> attributes) {
    for (std::uint32_t a = 0; a < attributes.size(); ++a) {
      const Attribute& attribute = attributes[a];
      if (attribute.kind == AttributeKind::numeric && !attribute.binned() &&
          attribute.has_missing && attribute.distinct() > 2) {
        return a;
      }
    }
    return std::nullopt;
  }

  static std::vector<CountingOptions> options() {
    CountingOptions all{.comparison_supports = true, .coverage_hashes = true};
    CountingOptions known = all;
    known.exclude_missing_consequent = true;
    return {{}, all, known};
  }

  /// The members' counts, added up, and those of the whole alone.
  void expect_sums(std::uint32_t partition_rows, const std::vector<Rule>& rules,
                   const CountingOptions& options) {
    const auto make = [&] {
      return make_dataset(table_.attributes, table_.columns, partition_rows);
    };
    const Dataset whole = make();
    const auto resident = load(whole);
    const TargetTotals* const totals = resident->target_totals(options);
    const std::vector<RuleCounts> expected = test::counts_of(*resident, rules, options);
    for (const int members : {1, 2, 3, 5}) {
      std::vector<RuleCounts> sums;
      for (int member = 0; member < members; ++member) {
        Dataset divided = make();
        divide(divided, {member, members});
        const std::vector<RuleCounts> part = test::counts_of(*load(divided), rules, options);
        if (sums.empty()) sums.resize(part.size());
        for (std::size_t r = 0; r < rules.size(); ++r) {
          if (member == 0) {
            sums[r] = part[r];
          } else {
            sums[r] += part[r];
          }
        }
      }
      for (std::size_t r = 0; r < rules.size(); ++r) {
        // Sums of squares may carry over from their lower parts, which statistics put together.
        EXPECT_EQ(statistics_of(sums[r], options, totals),
                  statistics_of(expected[r], options, totals))
            << members << " members, rule " << r;
        EXPECT_EQ(sums[r].sum, expected[r].sum);
        EXPECT_EQ(sums[r].coverage_hash, expected[r].coverage_hash);
      }
    }
  }

  RandomTable table_ = random_table(11, 9001, 8, true);
};

TEST_F(DividedCounts, AddUpToThoseOfTheWhole) {
  const std::vector<Rule> rules = with_bare_sides(random_rules(5, 4, table_.attributes, 6));
  for (const CountingOptions& of : options()) {
    expect_sums(65'536, rules, of);
    expect_sums(4096, rules, of);
  }
}

TEST_F(DividedCounts, OfAMeanAddUpWithItsDeviations) {
  const auto number = number_of(table_.attributes);
  ASSERT_TRUE(number);
  const std::uint32_t codes = table_.attributes[*number].distinct();
  std::vector<Rule> rules = random_rules(6, 4, table_.attributes, 4);
  for (Rule& rule : rules) rule.consequent = Expression::of({*number, 0, codes - 1, false});
  for (const bool deviations : {false, true}) {
    for (CountingOptions of : options()) {
      of.mean = MeanTarget{.attribute = *number, .low = false, .deviations = deviations};
      expect_sums(4096, rules, of);
    }
  }
}

// The host of the second member has its part, and by themselves the rows that fits look at.
TEST_F(DividedCounts, AndFitsOfAHostWithAPartOfTheRowsAreTheSame) {
  constexpr IntervalRows to_fit{.most = 2000, .enough = 500};
  const std::vector<Rule> rules = random_rules(7, 4, table_.attributes, 6);
  RandomStream stream({9, 0, 0, 0, Purpose::test});
  const Groups groups(stream, table_.attributes, 30);
  const Dataset whole = make_dataset(table_.attributes, table_.columns, 4096);
  const auto expected_fits = fits_of(*load(whole)->interval_fitter(to_fit), groups.groups);
  std::mutex device;  // of the backend, which is for one thread at a time
  run_ranks(2, [&](Communicator& ranks) {
    const RowShare own{ranks.rank(), 2};
    std::optional<Dataset> read;
    if (ranks.rank() == 0) read = make_dataset(table_.attributes, table_.columns, 4096);
    Dataset part = share(std::move(read), ranks, own, ranks.rank()).dataset;
    std::vector<std::uint64_t> rows = rows_to_look_at(part, to_fit);
    std::sort(rows.begin(), rows.end());
    keep_rows(part, rows, ranks, ranks.rank());
    divide(part, own);
    EXPECT_EQ(part.rows_held(), ranks.rank() == 0 ? 9001U : 9001U - 4096U);
    Dataset divided = make_dataset(table_.attributes, table_.columns, 4096);
    divide(divided, own);

    const std::scoped_lock lock(device);
    const auto expected = test::counts_of(*load(divided), rules);
    const auto resident = load(part);
    const auto counted = test::counts_of(*resident, rules);
    for (std::size_t r = 0; r < rules.size(); ++r) EXPECT_EQ(counted[r], expected[r]);
    const auto fits = fits_of(*resident->interval_fitter(to_fit), groups.groups);
    for (std::size_t g = 0; g < fits.size(); ++g) {
      EXPECT_EQ(fits[g].winner, expected_fits[g].winner);
      EXPECT_EQ(fits[g].interval, expected_fits[g].interval);
    }
  });
}

}  // namespace
}  // namespace atl::test
