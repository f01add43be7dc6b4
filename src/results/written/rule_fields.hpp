// The numbers of a rule by the names of the columns of rules.csv.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/results/written/written_rule.hpp"

namespace atl {

/// A number of a rule; NaN where it does not exist.
using RuleField = std::function<double(const WrittenRule&)>;

/// By the name of a column, in any case; empty if there is none of that name. The columns with the
/// prefixes holdout_ and on_ are known always, those of all measures, too.
RuleField find_rule_field(std::string_view name);
/// @throws UsageError listing the names
RuleField rule_field_named(std::string_view name);

/// What rules are sorted by: fields, each where those before it are equal.
struct RuleOrder {
  struct Key {
    RuleField field;
    bool ascending = false;
  };
  std::vector<Key> keys;
  std::vector<std::string> fields;  ///< their names, in lower case
};
/// Keys with commas between: a field (greatest first), one with "-" before it (least first), or one
/// with "desc" or "asc" behind it. @throws UsageError
RuleOrder parse_rule_order(std::string_view text);
/// By each key rules whose value does not exist go last; equal ones keep their order.
void sort_rules(std::vector<WrittenRule>& rules, const RuleOrder& order);

/// Which figures the rules of a run have.
struct RuleFigures {
  bool of_mean = false;
  bool quantiles = false;
  bool held_out = false;
  bool rescored = false;
};
/// Refuses fields that have no value in any rule of such a run: by them, rules would be left out or
/// in their order for no reason that can be seen.
/// @param fields  names in lower case
/// @throws UsageError with the reason
void expect_fields(std::span<const std::string> fields, const RuleFigures& figures);

/// "a field, did you mean 'lift'?", or where all are listed if none is near.
std::string expected_rule_field(std::string_view name);

/// All names, for help.
std::string rule_field_names();

}  // namespace atl
