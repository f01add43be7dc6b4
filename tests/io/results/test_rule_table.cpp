#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/results/rule_file.hpp"
#include "tests/io/written_rules.hpp"

namespace atl::test {
namespace {

TEST(RuleTable, the_table_is_aligned_and_wrapped) {
  const auto rules = some_rules();
  EXPECT_EQ("\n" + table_of(rules, 82), R"(
id  rule                             n_both  support  confidence    lift  leverage
 1  age > 41 AND "education, level"     150   0.1500      0.7500  2.5000    0.0900
    = "a => \"b\"" => income = >50K
    (and 2 equivalent rules)
 2  size = small => income = <=50K        0   0.0000           -       -    0.0000
 3  age not in [30.5, 41] => income      10   0.0100      1.0000  3.3333    0.0070
    = <=50K
)");
  EXPECT_EQ("\n" + table_of(std::span(rules).subspan(1), 0), R"(
id  rule                                     n_both  support  confidence    lift  leverage
 2  size = small => income = <=50K                0   0.0000           -       -    0.0000
 3  age not in [30.5, 41] => income = <=50K      10   0.0100      1.0000  3.3333    0.0070
)");
}

TEST(RuleTable, the_table_says_rule_of_one_and_rules_of_more) {
  auto rules = some_rules();
  EXPECT_NE(table_of(rules, 0).find("(and 2 equivalent rules)"), std::string::npos);
  rules[0].equivalents.resize(1);
  EXPECT_NE(table_of(rules, 0).find("(and 1 equivalent rule) "), std::string::npos);
  EXPECT_EQ(table_of({}, 80), "id  rule  n_both  support  confidence  lift  leverage\n");
}

TEST(RuleTable, no_line_ends_in_blanks) {
  auto rules = some_rules();
  rules[2].reversed = true;
  EXPECT_EQ("\n" + table_of(std::span(rules).subspan(1), 0), R"(
id  rule                                     n_both  support  confidence    lift  leverage  reversed_confidence
 2  size = small => income = <=50K                0   0.0000           -       -    0.0000
 3  age not in [30.5, 41] => income = <=50K      10   0.0100      1.0000  3.3333    0.0070               0.0333
)");
}

TEST(RuleTable, what_nobody_asked_for_gives_way_in_a_narrow_one) {
  auto rules = some_rules();
  const std::string without = table_of(rules, 82);
  rules[2].reversed = true;
  EXPECT_EQ(table_of(rules, 82), without);
  EXPECT_NE(table_of(rules, 110).find("  reversed_confidence\n"), std::string::npos);
}

TEST(RuleTable, the_table_counts_characters_breaks_long_words_and_escapes_controls) {
  std::vector<WrittenRule> rules(2);
  rules[0].text = "größe = äöü => x = \x1b[31m";
  rules[0].table = {1000000, 3, 500000, 3};
  rules[1].text = std::string(30, 'a') + " = b";
  rules[1].table = {10, 5, 5, 5};
  EXPECT_EQ("\n" + table_of(rules, 1), R"(
id  rule                      n_both  support  confidence    lift  leverage
 0  größe = äöü => x =             3    3e-06      1.0000  2.0000   1.5e-06
    \x1b[31m
 0  aaaaaaaaaaaaaaaaaaaaaaaa       5   0.5000      1.0000  2.0000    0.2500
    aaaaaa = b
)");
}

TEST(RuleTable, figures_far_from_one_fit_in_a_table) {
  RuleRecord about_mean = record({{1, 1, 1}}, {{0, 0, 3}});
  about_mean.table.target = {TargetMoments::Side::high, 1.25e300, -999999999999.5, 4e-7, 0, 1};
  const auto rules = to_written(std::vector{about_mean}, census());
  const std::vector<Measure> measures = {Measure::mean, Measure::mean_rest};
  const std::string table = io::rules_table(rules, 0, {.measures = measures});
  EXPECT_NE(table.find("  1.25e+300  -999999999999.5000"), std::string::npos) << table;
}

}  // namespace
}  // namespace atl::test
