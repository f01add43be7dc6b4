#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/refinement/climber.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

class ClimberTest : public testing::Test {
 protected:
  Rule parsed(const std::string& text) const {
    return parse_rule(text, dataset_.attributes(), "test");
  }
  Climber by(const std::string& measure) {
    experiment_.archive_by = measure;
    return {experiment_, grammar_, dataset_};
  }

  Dataset dataset_ = planted_table(4000, true);
  BoundGrammar grammar_ = association_grammar(dataset_);
  Experiment experiment_ = small_experiment("niching");
  // Of no matter but for the share.
  ContingencyTable table_{1000, 200, 300, 150};
};

}  // namespace

TEST_F(ClimberTest, EachFitSeesTheCodesOfThoseBeforeIt) {
  const Climber climber = by("leverage");
  Rule rule = parsed("x0 in [9, 17] AND x2 > 4 AND c4 = l2 => x1 <= 30");
  const std::vector<OpenBound> bounds = climber.bounds(rule);
  ASSERT_EQ(bounds.size(), 3U);  // not the nominal one
  const auto forms = {BoundRelation::interval, BoundRelation::greater, BoundRelation::less_equal};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    EXPECT_EQ(bounds[i].of_antecedent, i < 2);
    EXPECT_EQ(bounds[i].form, forms.begin()[i]);
  }
  const Comparison label = rule.antecedent.comparisons()[2];
  const Comparison above = rule.antecedent.comparisons()[1];
  const Comparison conclusion = rule.consequent.comparisons()[0];
  const BoundFit first = climber.fit(rule, bounds[0], table_);
  EXPECT_EQ(first.attribute, 0U);
  EXPECT_EQ(first.rest, (std::vector{above, label}));
  EXPECT_EQ(first.positives, std::vector{conclusion});
  ASSERT_TRUE(first.share.has_value());  // of leverage: that of the consequent's rows
  EXPECT_NEAR(static_cast<double>(first.share->positives) / static_cast<double>(first.share->rows),
              0.3, 1e-6);

  rule = with_codes(rule, bounds[0], {.low = 12, .high = 19});
  const Comparison moved = rule.antecedent.comparisons()[0];
  EXPECT_EQ(moved, (Comparison{0, 12, 19}));
  EXPECT_EQ(climber.fit(rule, bounds[1], table_).rest, (std::vector{moved, label}));
  const BoundFit last = climber.fit(rule, bounds[2], table_);
  EXPECT_TRUE(last.rest.empty());
  EXPECT_EQ(last.positives, (std::vector{moved, above, label}));
}

TEST_F(ClimberTest, NeighboursDifferInOnePlace) {
  const Climber climber = by("contrast");
  const Rule rule = parsed("x0 > 11 AND c4 = l2 => c5 = l1");
  const std::vector<std::uint32_t> others = {0, 4, 6};
  const std::vector<Neighbour> all = climber.neighbours(rule, others);
  ASSERT_EQ(all.size(), 4U);
  ASSERT_TRUE(all[0].open.has_value());  // x0 closed
  EXPECT_EQ(all[0].open->form, BoundRelation::interval);
  EXPECT_EQ(climber.fit(all[0].rule, *all[0].open, table_).share, std::nullopt);
  EXPECT_EQ(all[1].rule, parsed("c4 = l2 => c5 = l1"));
  EXPECT_EQ(all[2].rule, parsed("x0 > 11 => c5 = l1"));
  ASSERT_TRUE(all[3].open.has_value());  // c6 added
  const BoundFit added = climber.fit(all[3].rule, *all[3].open, table_);
  EXPECT_EQ(added.attribute, 6U);
  EXPECT_EQ(added.relation, BoundRelation::equal);
  EXPECT_EQ(added.rest.size(), 2U);
  EXPECT_EQ(with_codes(all[3].rule, *all[3].open, {.low = 3, .high = 3}),
            parsed("x0 > 11 AND c4 = l2 AND c6 = l3 => c5 = l1"));
}

}  // namespace atl::test
