#include <vector>

#include <gtest/gtest.h>

#include "src/measures/measures.hpp"
#include "src/results/refinement/counted_rules.hpp"
#include "tests/eval/backend.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

double contrast(const RuleStatistics& of) {
  return evaluate(Measure::contrast, of.table);
}

}  // namespace

TEST(CountedRules, TellWhichRulesHaveMoreContrast) {
  const Dataset dataset = planted_table(2000, true);
  const auto resident = make_reference_device()->load(dataset);
  const auto rules = random_rules(6, 400, dataset.attributes(), 4);
  CountedRules all(*resident, {});
  const auto expected = all.count_generalised(rules);
  for (const double least : {-0.2, 0.0, 0.05}) {
    CountedRules some(*resident, {});
    const auto counts = some.count_above(rules, std::vector<double>(rules.size(), least));
    std::size_t above = 0;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const bool is_above = by_measure(contrast(expected[i]), least) < 0;
      above += is_above;
      if (is_above) {
        EXPECT_EQ(counts[i], expected[i]);
      } else {
        EXPECT_FALSE(by_measure(contrast(counts[i]), least) < 0);
      }
    }
    EXPECT_GT(above, 0U);
    EXPECT_LT(above, rules.size());
    EXPECT_LT(some.counted(), all.counted());
  }
}

}  // namespace atl::test
