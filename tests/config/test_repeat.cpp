#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "islands/algorithms.hpp"
#include "src/config/experiment.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl {
namespace {

TEST(Repeat, IsTheSameSearchWithAnotherSeedOnTheSameRows) {
  RunConfiguration configuration{default_experiment("niching"), {}};
  Experiment& experiment = configuration.experiment;
  experiment.seed = 7;
  experiment.repeat = Repeats{3};
  Experiment other = experiment;
  other.seed = 9;
  other.repeat = Repeats::none;
  EXPECT_EQ(experiment.repeated(2), other);
  experiment.holdout.share = 0.2;
  EXPECT_EQ(experiment.repeated(2).seed_of_rows(), 7U);
  EXPECT_EQ(experiment.repeated(2).repeated(2).seed_of_rows(), 7U);
  EXPECT_EQ(experiment.repeated(2).repeated(2).seed, 11U);
  experiment.seed = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(experiment.repeated(2).seed, 1U);
  for (const Experiment& one : {experiment, experiment.repeated(1)}) {
    configuration.experiment = one;
    const std::string text = to_toml(configuration);
    EXPECT_EQ(parse_run_configuration(text, "config.toml", algorithms()).experiment, one) << text;
  }
}

}  // namespace
}  // namespace atl
