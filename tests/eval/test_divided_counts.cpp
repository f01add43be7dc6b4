// What the members of a team count on their shards, for every kind of device.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/dataset.hpp"
#include "tests/eval/backend.hpp"

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
        divide(divided, member, members);
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

}  // namespace
}  // namespace atl::test
