#include <vector>

#include <gtest/gtest.h>

#include "islands/redundancy.hpp"
#include "tests/islands/planted_table.hpp"

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
    RuleCounts c;
    c.table = table;
    c.coverage_hash = {coverage == 0 ? 1000 + records_.size() : coverage, 7};
    counts_.push_back(c);
  }

  std::vector<RuleRecord> filter() {
    const auto all = attributes();
    return remove_redundant(records_, counts_, all);
  }

  std::vector<RuleRecord> records_;
  std::vector<RuleCounts> counts_;
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

TEST(SelectUnlike, LeavesOutWhatCoversNearlyTheRowsOfABetterOne) {
  const Dataset dataset = planted_table(2000);
  const CoverageSample sample(dataset);
  const Expression consequent = Expression::of({5, 1, 1, false});
  const auto record = [&](const Comparison& antecedent) {
    RuleRecord made;
    made.rule = {Expression::of(antecedent), consequent};
    return made;
  };
  // Of 40 codes 20, 19 of them, 10 of them; and another attribute.
  const std::vector<RuleRecord> records = {record({0, 0, 19, false}), record({0, 0, 18, false}),
                                           record({0, 0, 9, false}), record({1, 0, 19, false})};
  const auto first_codes = [&](double most_similar, std::size_t top) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> codes;
    for (const RuleRecord& r :
         select_unlike(records, dataset.attributes(), sample, most_similar, top)) {
      const Comparison& c = r.rule.antecedent.comparisons()[0];
      codes.emplace_back(c.attribute, c.high);
    }
    return codes;
  };
  using Codes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(first_codes(1, 9), (Codes{{0, 19}, {0, 18}, {0, 9}, {1, 19}}));
  EXPECT_EQ(first_codes(1, 2), (Codes{{0, 19}, {0, 18}}));
  EXPECT_EQ(first_codes(0.7, 9), (Codes{{0, 19}, {0, 9}, {1, 19}}));
  EXPECT_EQ(first_codes(0.7, 2), (Codes{{0, 19}, {0, 9}}));
  EXPECT_EQ(first_codes(0.4, 9), (Codes{{0, 19}, {1, 19}}));
}

// That x1 is low where x0 is, and high where x0 is. Of labels both are written.
TEST(SelectUnlike, LeavesOutTheMirrorOfABetterOneOfBounds) {
  const Dataset dataset = planted_table(2000);
  const CoverageSample sample(dataset);
  const auto chosen = [&](const Comparison& yes, const Comparison& no, double most_similar) {
    std::vector<RuleRecord> records(3);
    records[0].rule = {Expression::of({0, 0, 19}), Expression::of(yes)};
    records[1].rule = {Expression::of({0, 21, 39}), Expression::of(no)};
    records[2].rule = {Expression::of({0, 21, 39}), Expression::of(yes)};
    return select_unlike(records, dataset.attributes(), sample, most_similar, 9).size();
  };
  EXPECT_EQ(chosen({1, 0, 20}, {1, 21, 39}, 0.7), 2U);
  EXPECT_EQ(chosen({1, 0, 20}, {1, 21, 39}, 1), 3U);
  EXPECT_EQ(chosen({5, 1, 1}, {5, 1, 1, true}, 0.7), 3U);
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
