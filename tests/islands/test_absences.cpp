// Archipelagos whose rules may not say that something is absent, on a table of market baskets.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "islands/g3parm/g3parm.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/results/choice/final_rules.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"
#include "tests/islands/planted_table.hpp"
#include "tests/islands/rule_run.hpp"
#include "tests/support/absence.hpp"

namespace atl::test {

namespace {

/// Those that g3parm keeps; none of another preset.
std::vector<Rule> pool_of(const OwnState& own, const Experiment& experiment,
                          const BoundGrammar& grammar) {
  std::vector<Rule> rules;
  if (experiment.algorithm->name != "g3parm") return rules;
  for (const Individual& held : G3parm(experiment, grammar).individuals_in(own))
    rules.push_back(held.rule);
  return rules;
}

/// 20 items, each in a twentieth of the rows but for pairs that go together; with `missing`, some
/// rows do not say of the last.
Dataset baskets(std::uint64_t rows, bool missing) {
  constexpr std::uint32_t items = 20;
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> columns(items, std::vector<std::uint32_t>(rows, 0));
  for (std::uint32_t a = 0; a < items; ++a) names.push_back(numbered('i', a));
  for (std::uint64_t row = 0; row < rows; ++row) {
    RandomStream stream({8, 0, 0, static_cast<std::uint32_t>(row), Purpose::test});
    for (auto& column : columns) column[row] = stream.chance(0.05) ? 1 : 0;
    for (std::uint32_t a = 0; a + 1 < items; a += 4) {
      if (columns[a][row] == 1 && stream.chance(0.8)) columns[a + 1][row] = 1;
    }
    if (missing && stream.chance(0.1)) columns.back()[row] = missing_code;
  }
  return numeric_table(names, columns);
}

struct Mined {
  RuleRun state;
  std::vector<RuleRecord> rules;
};

Mined mine(const Experiment& experiment, const Dataset& dataset, const BoundGrammar& grammar,
           unsigned threads) {
  ThreadPool pool(threads);
  const auto resident = make_cpu_device(pool)->load(dataset);
  LocalCommunicator communicator;
  RuleArchipelago archipelago(experiment, grammar, *resident, pool, communicator);
  archipelago.advance(0);
  while (archipelago.generation() < 12) {
    archipelago.advance(12);
  }
  RuleRun state = open_run(*archipelago.whole_state(), grammar);
  auto list = final_rules(state.archive, experiment, grammar, *resident, {*resident, pool}, {},
                          [](const ListProgress&) { return true; });
  return {std::move(state), std::move(list.rules)};
}

std::vector<std::string> texts(const std::vector<RuleRecord>& rules, const Dataset& dataset) {
  std::vector<std::string> all;
  for (const RuleRecord& record : rules) all.push_back(to_text(record.rule, dataset.attributes()));
  return all;
}

}  // namespace

TEST(Absences, AreInNoRuleOfAnyGenerationNorOfTheList) {
  for (const char* const preset : {"niching", "g3parm"}) {
    for (const char* const measure : {"leverage", "contrast"}) {
      for (const char* const text : {"association", "association-full"}) {
        SCOPED_TRACE(std::string(preset) + " " + measure + " " + text);
        const bool full = std::string(text) == "association-full";
        const Dataset dataset = baskets(2000, full);
        BoundAim aim;
        aim.absences = false;
        const BoundGrammar grammar(Grammar::parse(Grammar::builtin(text), text),
                                   dataset.attributes(), 5, aim);
        Experiment experiment = small_experiment(preset);
        experiment.min_support.share = 0.005;
        experiment.archive_by = measure;
        const Mined mined = mine(experiment, dataset, grammar, 1);
        const auto expect_none = [&](const Rule& rule) {
          ASSERT_FALSE(says_absent(rule, dataset.attributes()))
              << to_text(rule, dataset.attributes());
        };
        for (const IslandState& island : mined.state.islands) {
          for (const Individual& individual : island.population) expect_none(individual.rule);
          const OwnState& own = mined.state.own[island.island];
          for (const Rule& rule : pool_of(own, experiment, grammar)) expect_none(rule);
        }
        for (const RuleRecord& record : mined.state.archive.rules()) expect_none(record.rule);
        ASSERT_FALSE(mined.rules.empty());
        for (const RuleRecord& record : mined.rules) {
          expect_none(record.rule);
          for (const Rule& equivalent : record.equivalents) expect_none(equivalent);
        }
        const Mined again = mine(experiment, dataset, grammar, 3);
        EXPECT_EQ(encode(again.state), encode(mined.state));
        EXPECT_EQ(texts(again.rules, dataset), texts(mined.rules, dataset));
      }
    }
  }
}

TEST(Absences, WithoutThemThePairsThatGoTogetherComeFirst) {
  const Dataset dataset = baskets(2000, false);
  BoundAim aim;
  const auto first = [&](bool absences) {
    aim.absences = absences;
    const BoundGrammar grammar(Grammar::parse(Grammar::builtin("association"), "association"),
                               dataset.attributes(), 5, aim);
    return texts(mine(small_experiment("niching"), dataset, grammar, 2).rules, dataset);
  };
  const auto without = first(false);
  ASSERT_GE(without.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto pair = [&](std::uint32_t a) {
      const std::string left = numbered('i', a) + " = 1", right = numbered('i', a + 1) + " = 1";
      return without[i] == left + " => " + right || without[i] == right + " => " + left;
    };
    EXPECT_TRUE(pair(0) || pair(4) || pair(8) || pair(12) || pair(16)) << without[i];
  }
  const auto with = first(true);
  EXPECT_TRUE(std::any_of(with.begin(), with.end(), [](const std::string& text) {
    return text.find(" = 0") != std::string::npos || text.find("<= 0") != std::string::npos;
  }));
}

}  // namespace atl::test
