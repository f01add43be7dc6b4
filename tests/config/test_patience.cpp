#include <string>

#include <gtest/gtest.h>

#include "islands/algorithms.hpp"
#include "src/config/experiment.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl {
namespace {

void expect_endless_without(const char* preset) {
  RunConfiguration configuration{default_experiment(preset), {}};
  configuration.experiment.patience = Patience{30};
  std::string text = to_toml(configuration);
  const auto patience_in = [](const std::string& toml) {
    return parse_run_configuration(toml, "config.toml", algorithms()).experiment.patience;
  };
  EXPECT_EQ(patience_in(text), Patience{30});
  const std::string line = "patience = 30\n";
  ASSERT_NE(text.find(line), std::string::npos);
  text.erase(text.find(line), line.size());
  EXPECT_EQ(patience_in(text), Patience::endless);
}

TEST(Patience, OfAFormerVersionIsEndless) {
  expect_endless_without("niching");
  expect_endless_without("rule-sets");
}

TEST(Patience, OfAPresetThatSaysNothingIsTheUsual) {
  const std::string text = "[experiment]\npreset = \"rule-sets\"\ngenerations = 7\n";
  const Experiment experiment = parse_preset(text, "p.toml", algorithms());
  EXPECT_EQ(experiment.patience, Patience{40});
}

TEST(Patience, WithATimeAloneThereIsNoOtherLimit) {
  const auto generations = [](const std::string& keys) {
    return parse_preset("[experiment]\npreset = \"niching\"\n" + keys, "p.toml", algorithms())
        .generations;
  };
  EXPECT_EQ(generations(""), 100U);
  EXPECT_EQ(generations("time_limit = 5\n"), endless_generations);
  EXPECT_EQ(generations("time_limit = 5\ngenerations = 7\n"), 7U);
}

}  // namespace
}  // namespace atl
