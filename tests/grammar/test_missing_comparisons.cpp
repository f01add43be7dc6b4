#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/bit_planes.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/grammar/missing_comparisons.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/operate.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/default_experiment.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

enum : std::uint32_t { lab, age, colour, sex };

/// @param missing  of a thousand rows
Attribute of_which(Attribute attribute, std::uint64_t missing) {
  attribute.missing = missing;
  attribute.has_missing = missing > 0;
  std::fill(attribute.counts.begin(), attribute.counts.end(), 0);
  attribute.counts[0] = 1000 - missing;
  return attribute;
}

const std::vector<Attribute> table = {
    of_which(numeric("lab", {1, 2, 3, 4}), 300), of_which(numeric("age", {17, 25, 30}), 4),
    of_which(nominal("colour", {"blue", "green"}), 996), of_which(nominal("sex", {"f", "m"}), 0)};

Experiment experiment_of(std::string_view grammar) {
  Experiment experiment = default_experiment("niching");
  experiment.grammar = grammar;
  return experiment;
}

TEST(MissingComparisons, AreOfAttributesWhereBothMatter) {
  Experiment experiment = experiment_of(Grammar::builtin("association"));
  using Ids = std::vector<std::uint32_t>;
  EXPECT_EQ(attributes_that_may_miss(experiment, table), Ids{lab});
  experiment.missing_comparisons = true;
  EXPECT_EQ(attributes_that_may_miss(experiment, table), (Ids{lab, age, colour}));
  experiment.missing_comparisons = false;
  EXPECT_EQ(attributes_that_may_miss(experiment, table), Ids{});
  experiment = experiment_of("<r> ::= <equal> => <equal>\n");
  EXPECT_EQ(attributes_that_may_miss(experiment, table), Ids{});
}

class WithMissing : public testing::TestWithParam<const char*> {};

// Whatever is done to derivations, consequents never say it, and antecedents say both.
TEST_P(WithMissing, AntecedentsAloneSayIt) {
  BoundAim aim;
  aim.missing = {lab, colour};
  const BoundGrammar grammar(Grammar::parse(Grammar::builtin(GetParam()), "it"), table, 6, aim);
  RandomStream stream({1, 0, 0, 0, Purpose::test});
  Derivation derivation = grammar.derive(stream), donor = grammar.derive(stream);
  std::map<std::string, int> said;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t operation = stream.below(6);
    if (operation < 5) {
      operate(operation, grammar, derivation, donor, stream);
    } else {
      std::vector<std::uint32_t> row;
      for (const Attribute& a : table)
        row.push_back(a.has_missing && stream.chance(0.3)
                          ? missing_code
                          : static_cast<std::uint32_t>(stream.below(a.distinct())));
      grammar.repair(derivation, row, stream);
    }
    ASSERT_TRUE(grammar.accepts(derivation));
    if (i % 20 == 0) donor = grammar.derive(stream);
    const std::size_t consequent = grammar.consequent_begin(derivation);
    for (const std::size_t node : grammar.comparison_nodes(derivation)) {
      const Comparison& c = derivation[node].comparison;
      const std::uint32_t distinct = table[c.attribute].distinct();
      if (!asks_missing(c) && !asks_known(c, distinct)) continue;
      EXPECT_LT(node, consequent);
      ++said[to_text(c, table)];
    }
  }
  EXPECT_EQ(said.size(), 4U);
  for (const auto& [text, times] : said) EXPECT_GT(times, 50) << text;
}

INSTANTIATE_TEST_SUITE_P(Grammars, WithMissing, testing::Values("association", "association-full"));

TEST(MissingComparisons, AreTerminalsOfGrammars) {
  const BoundGrammar grammar(
      Grammar::parse("<r> ::= <s> => <missing(colour)>\n<s> ::= <missing> | <known(!age)>\n", "it"),
      table, 4);
  std::map<std::string, int> rules;
  for (std::uint32_t slot = 0; slot < 300; ++slot) {
    RandomStream stream({2, 0, 0, slot, Purpose::test});
    ++rules[to_text(grammar.rule(grammar.derive(stream)), table)];
  }
  EXPECT_EQ(rules.size(), 3U);
  EXPECT_TRUE(rules.count("lab is missing => colour is missing"));
  EXPECT_TRUE(rules.count("age is missing => colour is missing"));
  EXPECT_TRUE(rules.count("lab is known => colour is missing"));
}

// A row without a value of what is asked for: something else is said that holds on it.
TEST(MissingComparisons, AreRepairedToHoldOnARow) {
  const BoundGrammar grammar(Grammar::parse("<r> ::= <missing(lab, age)> => <equal(sex)>\n", "it"),
                             table, 4);
  RandomStream stream({3, 0, 0, 0, Purpose::test});
  Derivation derivation = grammar.derive(stream);
  const std::vector<std::uint32_t> row = {missing_code, 1, 0, 1}, other = {0, missing_code, 0, 1};
  grammar.repair(derivation, row, stream);
  EXPECT_EQ(to_text(grammar.rule(derivation), table), "lab is missing => sex = m");
  grammar.repair(derivation, other, stream);
  EXPECT_EQ(to_text(grammar.rule(derivation), table), "age is missing => sex = m");
}

}  // namespace
}  // namespace atl::test
