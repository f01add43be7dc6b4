#include <sstream>
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
 1  age > 50                            150   0.1500      0.7500  2.5000    0.0900
    AND "education, level" = "a =>
    \"b\"" => income = >50K
    (and 2 equivalent rules)
 2  size = small => income = <=50K        0   0.0000           -       -    0.0000
 3  age not in [30, 50]                  10   0.0100      1.0000  3.3333    0.0070
    => income = <=50K
)");
  EXPECT_EQ("\n" + table_of(std::span(rules).subspan(1), 0), R"(
=> income = <=50K
id  rule                 n_both  support  confidence    lift  leverage
 2  size = small              0   0.0000           -       -    0.0000
 3  age not in [30, 50]      10   0.0100      1.0000  3.3333    0.0070
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
  const std::vector<std::string> columns = {"id", "rule", "run"};
  rules[2].run = "b";
  EXPECT_EQ("\n" + io::rules_table(std::span(rules).subspan(1), 0, {.columns = columns}), R"(
=> income = <=50K
id  rule                 run
 2  size = small
 3  age not in [30, 50]    b
)");
}

TEST(RuleTable, what_nobody_asked_for_gives_way_before_headings_are_broken_further) {
  auto rules = some_rules();
  for (WrittenRule& rule : rules) rule.held_out = HeldOut{{50, 10, 20, 5}, 2, 1, 1, 1e-300, 1};
  const auto measures = table_measures(rules);
  const auto table = [&](std::size_t width, bool gives_way) {
    return io::rules_table(std::span(rules).subspan(1), width,
                           {.measures = measures, .held_out = true, .gives_way = gives_way});
  };
  EXPECT_EQ("\n" + table(79, true), R"(
=> income = <=50K
                           n_                        holdout_  holdout_
id  rule                 both  confidence    lift  confidence    p_holm
 2  size = small            0           -       -      0.5000    1e-300
 3  age not in [30, 50]    10      1.0000  3.3333      0.5000    1e-300
)");
  EXPECT_EQ("\n" + table(60, false), R"(
=> income = <=50K
 2  size = small
    n_both 0  support 0.0000  confidence -  lift -
    leverage 0.0000  holdout_confidence 0.5000
    holdout_p_holm 1e-300
 3  age not in [30, 50]
    n_both 10  support 0.0100  confidence 1.0000
    lift 3.3333  leverage 0.0070  holdout_confidence 0.5000
    holdout_p_holm 1e-300
)");
}

TEST(RuleTable, no_line_is_wider_than_the_screen) {
  auto rules = some_rules();
  for (WrittenRule& rule : rules) rule.held_out = HeldOut{{50, 10, 20, 5}, 2, 1, 1, 1e-300, 1};
  std::vector<Measure> all;
  for (const MeasureInfo& measure : measures())
    if (measure.applies(false)) all.push_back(measure.measure);
  for (const std::size_t width : {40U, 80U, 132U}) {
    std::istringstream lines(io::rules_table(rules, width, {.measures = all, .held_out = true}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
  }
}

TEST(RuleTable, rules_are_tables_of_markdown_and_latex) {
  auto rules = some_rules();
  rules[1].text = "a_b = \"x|y\" => income = <=50K";
  const std::vector<std::string> columns = {"id", "rule", "confidence"};
  const ColumnChoice choice{.columns = columns};
  EXPECT_EQ("\n" + io::rules_markdown(std::span(rules).subspan(1), choice), R"(
=\> income = \<=50K

| id | rule | confidence |
| ---: | --- | ---: |
| 2 | a\_b = "x\|y" | - |
| 3 | age not in \[30, 50\] | 1.0000 |
)");
  EXPECT_EQ("\n" + io::rules_latex(std::span(rules).subspan(1), choice), R"(
% \usepackage{booktabs,textcomp}
\begin{tabular}{rp{0.5\linewidth}r}
\toprule
\multicolumn{3}{l}{$\Rightarrow$ income = \textless{}=50K} \\
\midrule
id & rule & confidence \\
\midrule
2 & a\_b = \symbol{34}x\textbar{}y\symbol{34} & -{} \\
3 & age not in [30, 50] & 1.0000 \\
\bottomrule
\end{tabular}
)");
}

TEST(RuleTable, the_table_counts_characters_breaks_long_words_and_escapes_controls) {
  std::vector<WrittenRule> rules(2);
  rules[0].text = "größe = äöü => x = \x1b[31m";
  rules[0].table = {1000000, 3, 500000, 3};
  rules[1].text = std::string(30, 'a') + " = b";
  rules[1].table = {10, 5, 5, 5};
  EXPECT_EQ("\n" + table_of(rules, 76), R"(
id  rule                       n_both  support  confidence    lift  leverage
 0  größe = äöü                     3    3e-06      1.0000  2.0000   1.5e-06
    => x = \x1b[31m
 0  aaaaaaaaaaaaaaaaaaaaaaaaa       5   0.5000      1.0000  2.0000    0.2500
    aaaaa = b
)");
  EXPECT_EQ("\n" + table_of(rules, 1), R"(
 0  größe = äöü
    => x = \x1b[31m
    n_both 3
    support 3e-06
    confidence 1.0000
    lift 2.0000
    leverage 1.5e-06
 0  aaaaaaaaaaaaaaaa
    aaaaaaaaaaaaaa =
    b
    n_both 5
    support 0.5000
    confidence 1.0000
    lift 2.0000
    leverage 0.2500
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
