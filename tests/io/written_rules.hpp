// Rules to be written, of all sorts.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/results/rule_file.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/rules/rule_record.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {

inline std::vector<Attribute> census() {
  Attribute age;
  age.name = "age";
  age.low = {17, 30.5, 41, 60};
  age.high = {29, 40, 41, 1e300};
  age.exact_distinct = 50;
  return {
      age,
      labelled("education, level", AttributeKind::nominal, {"Bachelors", "Masters", "a => \"b\""}),
      labelled("income", AttributeKind::nominal, {"<=50K", ">50K"}),
      labelled("size", AttributeKind::ordinal, {"small", "medium", "large"})};
}

inline RuleRecord record(std::vector<Comparison> antecedent, std::vector<Comparison> consequent) {
  RuleRecord out;
  out.rule = {Expression::conjunction(antecedent), Expression::conjunction(consequent)};
  out.table = {1000, 200, 300, 150};
  out.missing_consequent = 7;
  out.generation = 12;
  out.island = 3;
  return out;
}

inline std::vector<WrittenRule> some_rules() {
  RuleRecord first = record({{0, 3, 3}, {1, 2, 2}}, {{2, 1, 1}});
  first.equivalents = {record({{0, 2, 3}}, {{2, 1, 1}}).rule,
                       record({{3, 1, 2}}, {{2, 1, 1}}).rule};
  first.table.n_general_antecedent = 400;
  first.table.n_general_both = 180;
  RuleRecord never = record({{3, 0, 0}}, {{2, 0, 0}});
  never.table = {1000, 0, 300, 0};  // no measure that divides by the antecedent exists
  RuleRecord always = record({{0, 1, 2, true}}, {{2, 0, 0}});
  always.table = {1000, 10, 300, 10};  // infinite conviction
  const std::vector<RuleRecord> records = {first, never, always};
  return to_written(records, census());
}

inline std::string table_of(std::span<const WrittenRule> rules, std::size_t width) {
  return io::rules_table(rules, width, {.measures = table_measures(rules)});
}

}  // namespace atl::test
