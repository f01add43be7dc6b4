#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "src/sampling/coverage_table.hpp"
#include "tests/eval/backend.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {
namespace {

class CoverageTableTest : public testing::Test {
 protected:
  std::vector<Coverage> coverages(std::uint64_t seed, std::size_t count) const {
    std::vector<Coverage> made;
    for (const Rule& rule : random_rules(seed, count, dataset_.attributes(), 2)) {
      sample_.cover(rule, made.emplace_back());
    }
    return made;
  }

  Dataset dataset_ = planted_table(600, true);
  CoverageSample sample_{dataset_};
};

TEST_F(CoverageTableTest, FindsTheFirstOfTheMostSimilar) {
  auto residents = coverages(1, 150);
  residents.insert(residents.end(), residents.begin(), residents.begin() + 50);  // ties
  CoverageTable table;
  for (const Coverage& former : coverages(4, residents.size())) table.push_back(former);
  for (std::size_t slot = 0; slot < residents.size(); ++slot) table.set(slot, residents[slot]);
  ASSERT_EQ(table.size(), residents.size());
  std::size_t found = 0;
  for (const Coverage& wanted : coverages(2, 200)) {
    for (const double least : {1e-6, 0.2, 0.7}) {
      std::optional<std::size_t> expected;
      double most = 0;
      for (std::size_t slot = 0; slot < residents.size(); ++slot) {
        const double alike = similarity(wanted, residents[slot]);
        if (alike < least || alike <= most) continue;
        most = alike;
        expected = slot;
      }
      EXPECT_EQ(table.most_similar(wanted, least, found % residents.size()), expected);
      found += expected ? 1 : 0;
    }
    // Consequents come and go.
    const std::size_t slot = found % residents.size();
    residents[slot] = wanted;
    table.set(slot, wanted);
  }
  EXPECT_GT(found, 100U);
  table.clear();
  for (const Coverage& resident : coverages(5, residents.size())) table.push_back(resident);
  const Coverage again = coverages(5, 7).back();
  EXPECT_EQ(table.most_similar(again, 0.9, 0), std::optional<std::size_t>(6)) << "nothing is left";
}

// What the first 1,024 consequents share is remembered, what others share is not.
TEST_F(CoverageTableTest, HoldsMoreConsequentsThanItRemembers) {
  const auto residents = coverages(6, 4000);
  std::set<std::vector<std::uint64_t>> consequents;
  CoverageTable table;
  for (const Coverage& resident : residents) {
    const auto half = resident.words.begin() + static_cast<std::ptrdiff_t>(sample_.words());
    consequents.emplace(half, resident.words.end());
    table.push_back(resident);
  }
  ASSERT_GT(consequents.size(), 1100U);
  auto wanted = coverages(7, 60);
  wanted.insert(wanted.end(), residents.end() - 60, residents.end());
  for (const Coverage& coverage : wanted) {
    std::optional<std::size_t> expected;
    double most = 0;
    for (std::size_t slot = 0; slot < residents.size(); ++slot) {
      const double alike = similarity(coverage, residents[slot]);
      if (alike < 0.1 || alike <= most) continue;
      most = alike;
      expected = slot;
    }
    EXPECT_EQ(table.most_similar(coverage, 0.1, 0), expected);
  }
}

TEST_F(CoverageTableTest, KnowsWhatWasSetLast) {
  const auto made = coverages(3, 3);
  CoverageTable table;
  table.push_back(made[0]);
  table.push_back(made[1]);
  table.set(0, made[2]);
  const auto expected = made[2].words.begin();
  const auto half = expected + static_cast<std::ptrdiff_t>(sample_.words());
  EXPECT_TRUE(std::equal(expected, half, table.antecedent(0).begin()));
  EXPECT_TRUE(std::equal(half, made[2].words.end(), table.consequent(0).begin()));
  table.clear();
  EXPECT_EQ(table.size(), 0U);
}

}  // namespace
}  // namespace atl::test
