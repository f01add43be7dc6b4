#include <vector>

#include <gtest/gtest.h>

#include "src/results/archive/constraints.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {

TEST(Constraints, AreMetByAnAssociatedRule) {
  const Constraints constraints{SupportThreshold{0.1, {}}, 0.5, 0.9, true};
  EXPECT_EQ(constraints.violation({100, 20, 40, 15}), 0);
}

TEST(Constraints, SumTheRelativeShortfalls) {
  // Support 5 of 10 required: 0.5. Confidence 0.25 of 0.5: 0.5. Lift 0.25 / 0.4 = 0.625: 0.375.
  const Constraints constraints{SupportThreshold{0.1, {}}, 0.5, 0.9, true};
  EXPECT_DOUBLE_EQ(constraints.violation({100, 20, 40, 5}), 1.375);
}

TEST(Constraints, IndependenceIsAViolationHoweverLarge) {
  const Constraints constraints{{}, 0, 1, true};
  EXPECT_GT(constraints.violation({100, 20, 50, 10}), 0);
  EXPECT_EQ(constraints.violation({100, 20, 50, 11}), 0);
  const std::uint64_t large = std::uint64_t{1} << 60;
  EXPECT_GT(constraints.violation({4 * large, 2 * large, 2 * large, large}), 0);
  EXPECT_EQ(constraints.violation({4 * large, 2 * large, 2 * large, large + 1}), 0);
}

TEST(Constraints, SidesMayBeNeitherEmptyNorFull) {
  const Constraints constraints{{}, 0, 1, false};
  EXPECT_EQ(constraints.violation({100, 1, 99, 1}), 0);
  EXPECT_GE(constraints.violation({100, 100, 50, 50}), 1);
  EXPECT_GE(constraints.violation({100, 50, 100, 50}), 1);
  EXPECT_GE(constraints.violation({100, 0, 50, 0}), 1);
  EXPECT_GE(constraints.violation({100, 50, 0, 0}), 1);
  EXPECT_GE(constraints.violation({0, 0, 0, 0}), 2);
}

TEST(Constraints, AFrequentConsequentIsRelativeToWhatIsLeftAboveTheLimit) {
  const Constraints constraints{{}, 0, 0.8, false};
  EXPECT_EQ(constraints.violation({100, 50, 80, 45}), 0);
  EXPECT_DOUBLE_EQ(constraints.violation({100, 50, 90, 45}), 0.5);
}

TEST(Constraints, AreExactAtTheThresholds) {
  const Constraints constraints{SupportThreshold{0, 7}, 0.7, 1, false};
  EXPECT_TRUE(constraints.met({100, 10, 50, 7}));
  EXPECT_FALSE(constraints.met({100, 9, 50, 6}));
  EXPECT_FALSE(constraints.met({100, 11, 50, 7}));
}

TEST(Constraints, AMeanMustLieOnItsSide) {
  const Constraints constraints{SupportThreshold{0.1, {}}, 0, 0.9, true};
  const auto about_mean = [](TargetMoments::Side side, double mean, std::uint64_t rows = 20) {
    ContingencyTable table{100, rows, 95, rows};
    table.target = {side, mean, 1, 1.5, 2, -1};
    return table;
  };
  using Side = TargetMoments::Side;
  EXPECT_EQ(constraints.violation(about_mean(Side::high, 1.6)), 0);
  EXPECT_EQ(constraints.violation(about_mean(Side::low, 1.4)), 0);
  EXPECT_GT(constraints.violation(about_mean(Side::high, 1.5)), 0) << "that of all rows";
  EXPECT_GT(constraints.violation(about_mean(Side::low, 1.6)), 0);
  EXPECT_GT(constraints.violation(about_mean(Side::low, 3)),
            constraints.violation(about_mean(Side::low, 2)));
  EXPECT_DOUBLE_EQ(constraints.violation(about_mean(Side::high, 1.6, 5)), 0.5) << "support";
  EXPECT_GE(constraints.violation(about_mean(Side::high, 1.6, 95)), 1) << "all rows";
  EXPECT_GE(constraints.violation(about_mean(Side::high, 0, 0)), 2) << "no row";
}

TEST(Constraints, ByClassARareOneNeedsATenthOfItsRowsAndAtLeastThree) {
  Constraints constraints{SupportThreshold{0.01, {}}, 0, 0.9, true};
  const auto least = [&](std::uint64_t of_class) {
    return constraints.least_support({10'000, 50, of_class, 2});
  };
  EXPECT_EQ(least(40), 100U);
  constraints.by_class = true;
  EXPECT_EQ(least(0), 3U);
  EXPECT_EQ(least(30), 3U);
  EXPECT_EQ(least(31), 4U);
  EXPECT_EQ(least(991), 100U);
  EXPECT_EQ(least(5000), 100U) << "never more than --min-support";
  EXPECT_TRUE(constraints.met({10'000, 10, 40, 4}));
  EXPECT_DOUBLE_EQ(constraints.violation({10'000, 10, 40, 3}), 0.25);
  constraints.min_support = SupportThreshold{0, 2};
  EXPECT_EQ(least(40), 2U);
}

TEST(Constraints, AreByClassWhereTheTargetIsLabels) {
  Attribute label;
  label.name = "class";
  label.kind = AttributeKind::nominal;
  Attribute number;
  number.name = "price";
  const std::vector<Attribute> attributes = {label, number};
  for (const char* preset : {"niching", "g3parm"}) {
    Experiment experiment = default_experiment(preset);
    EXPECT_FALSE(constraints_of(experiment, attributes).by_class);
    experiment.aim.target = {"price=*"};
    EXPECT_FALSE(constraints_of(experiment, attributes).by_class);
    experiment.aim.target = {"class=*"};
    EXPECT_TRUE(constraints_of(experiment, attributes).by_class);
  }
}

}  // namespace atl::test
