#include <vector>

#include <gtest/gtest.h>

#include "src/results/choice/redundancy.hpp"

namespace atl::test {

namespace {

// Attributes 0 to 3, numeric with ten values.
std::vector<Attribute> attributes() {
  std::vector<Attribute> all(4);
  for (Attribute& a : all) {
    for (int v = 0; v < 10; ++v) {
      a.low.push_back(v);
      a.high.push_back(v);
      a.counts.push_back(10);
    }
  }
  return all;
}

class Redundancy : public testing::Test {
 protected:
  // Each rule covers rows of its own unless a coverage is given.
  void add(std::vector<Comparison> antecedent, const ContingencyTable& table,
           std::uint64_t coverage = 0, Comparison consequent = {3, 0, 4, false}) {
    RuleRecord record;
    record.rule = {Expression::conjunction(antecedent), Expression::of(consequent)};
    record.table = table;
    records_.push_back(record);
    RuleStatistics c;
    c.table = table;
    c.coverage_hash = {coverage == 0 ? 1000 + records_.size() : coverage, 7};
    counts_.push_back(c);
  }

  std::vector<RuleRecord> filter() {
    const auto all = attributes();
    return remove_redundant(records_, counts_, all);
  }

  std::vector<RuleRecord> records_;
  std::vector<RuleStatistics> counts_;
};

constexpr ContingencyTable weak{1000, 100, 400, 60};
constexpr ContingencyTable strong{1000, 100, 400, 80};

}  // namespace

TEST_F(Redundancy, EquivalentsAreListedUnderTheShortestInTheFirstPlace) {
  add({{0, 0, 2, false}, {1, 0, 2, false}}, weak, 5);
  add({{2, 4, 6, false}}, strong);
  add({{1, 0, 3, false}}, weak, 5);
  add({{0, 0, 3, false}}, weak, 5);
  const auto kept = filter();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].rule, records_[3].rule);  // one comparison, attribute 0 before 1
  EXPECT_EQ(kept[0].equivalents, (std::vector<Rule>{records_[2].rule, records_[0].rule}));
  EXPECT_EQ(kept[1].rule, records_[1].rule);
  EXPECT_TRUE(kept[1].equivalents.empty());
}

TEST_F(Redundancy, EqualHashesOfDifferentCountsAreNotEquivalent) {
  add({{0, 0, 2, false}}, weak, 5);
  add({{1, 0, 2, false}}, strong, 5);
  EXPECT_EQ(filter().size(), 2U);
}

TEST_F(Redundancy, ALongerConjunctionThatIsNoBetterIsDropped) {
  add({{0, 0, 2, false}, {1, 0, 2, false}}, {1000, 50, 400, 30});
  add({{0, 0, 2, false}}, weak);  // same confidence, greater leverage
  const auto kept = filter();
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].rule, records_[1].rule);
}

TEST_F(Redundancy, ALongerConjunctionOfHigherConfidenceStays) {
  add({{0, 0, 2, false}, {1, 0, 2, false}}, {1000, 50, 400, 45});
  add({{0, 0, 2, false}}, weak);
  EXPECT_EQ(filter().size(), 2U);
}

TEST_F(Redundancy, ANarrowerIntervalThatIsNoBetterIsDropped) {
  add({{0, 1, 2, false}}, {1000, 50, 400, 30});
  add({{0, 1, 4, false}}, weak);
  EXPECT_EQ(filter().size(), 1U);
}

TEST_F(Redundancy, AWiderIntervalThatCoversNoMoreOfTheConsequentIsDropped) {
  add({{0, 1, 4, false}}, {1000, 90, 400, 60});
  add({{0, 1, 6, false}}, {1000, 99, 400, 60});
  const auto kept = filter();
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].rule, records_[0].rule);
  // With one row more of it, or in fewer words, it stays.
  records_[1].table = counts_[1].table = {1000, 99, 400, 61};
  EXPECT_EQ(filter().size(), 2U);
  records_[0].rule.antecedent =
      Expression::conjunction(std::vector<Comparison>{{0, 1, 4, false}, {1, 0, 8, false}});
  records_[1].table = counts_[1].table = {1000, 99, 400, 60};
  EXPECT_EQ(filter().size(), 2U);
}

TEST_F(Redundancy, ThoseThatStayAreVariants) {
  add({{0, 0, 2, false}, {1, 0, 2, false}}, {1000, 50, 400, 30});
  add({{0, 0, 2, false}}, weak);
  const auto all = attributes();
  const auto kept = remove_redundant(records_, counts_, all, {records_[0].rule, records_[1].rule});
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].kind, RuleKind::variant);
  EXPECT_EQ(kept[1].kind, RuleKind::rule);
}

TEST_F(Redundancy, OverlappingIntervalsBothStay) {
  add({{0, 1, 3, false}}, {1000, 50, 400, 30});
  add({{0, 2, 4, false}}, weak);
  EXPECT_EQ(filter().size(), 2U);
}

TEST_F(Redundancy, AValueInsideAnExclusionIsNarrower) {
  add({{0, 1, 1, false}}, {1000, 50, 400, 30});
  add({{0, 5, 5, true}}, weak);  // not 5
  EXPECT_EQ(filter().size(), 1U);
  add({{1, 5, 5, false}}, {1000, 50, 400, 30});
  add({{1, 5, 5, true}}, weak);  // excludes just that
  EXPECT_EQ(filter().size(), 3U);
}

TEST_F(Redundancy, AnotherConsequentDropsNothing) {
  add({{0, 0, 2, false}, {1, 0, 2, false}}, {1000, 50, 400, 30});
  add({{0, 0, 2, false}}, weak, 0, {3, 0, 5, false});
  EXPECT_EQ(filter().size(), 2U);
}

TEST_F(Redundancy, ADisjunctionIsNeverASubset) {
  const Expression either({Op::comparison, Op::comparison, Op::disjunction},
                          {{0, 0, 2, false}, {1, 0, 2, false}});
  add({{0, 0, 2, false}}, weak);
  add({{1, 7, 7, false}}, {1000, 50, 400, 30});
  records_[1].rule.antecedent = either;
  EXPECT_EQ(filter().size(), 2U);
}

TEST_F(Redundancy, OneThatIsDroppedItselfStillDrops) {
  add({{0, 0, 2, false}, {1, 0, 2, false}, {2, 0, 2, false}}, {1000, 25, 400, 15});
  add({{0, 0, 2, false}, {1, 0, 2, false}}, {1000, 50, 400, 30});
  add({{0, 0, 2, false}}, weak);
  const auto kept = filter();
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].rule, records_[2].rule);
}

TEST_F(Redundancy, OfRulesAboutAMeanEffectAndImpactDecide) {
  const auto about_mean = [](std::uint64_t rows, double mean) {
    ContingencyTable table{1000, rows, 1000, rows};
    table.target = {TargetMoments::Side::high, mean, 9, 10, 5, -1};
    return table;
  };
  const Comparison known{3, 0, 9, false};
  add({{0, 0, 2, false}}, about_mean(200, 14), 0, known);
  add({{0, 0, 2, false}, {1, 0, 2, false}}, about_mean(100, 15), 0, known);  // greater effect
  add({{0, 0, 2, false}, {2, 0, 2, false}}, about_mean(100, 13), 0, known);  // says nothing new
  const auto kept = filter();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[1].table.target.mean, 15);
}

}  // namespace atl::test
