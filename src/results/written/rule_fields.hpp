// The numbers of a rule by the names of the columns of rules.csv.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/results/written/rule_columns.hpp"

namespace atl {

/// A number of a rule; NaN where it does not exist.
using RuleField = std::function<double(const WrittenRule&)>;

/// The field of the column with a name, in any case; empty if there is none of that name. The
/// columns with the prefixes holdout_ and on_ are known always, those of all measures, too.
RuleField find_rule_field(std::string_view name);
/// @throws UsageError listing the names
RuleField rule_field_named(std::string_view name);

/// The order by which rules are sorted: columns, each where those before it are equal.
struct RuleOrder {
  enum class Way { good_end_first, least_first, greatest_first };
  struct Key {
    const RuleColumn* column;
    Way way = Way::good_end_first;
  };
  std::vector<Key> keys;
  std::vector<std::string> fields;  ///< their names, in lower case
};
/// Keys with commas between: a column (its good end first), one with "-" before it or "asc" behind
/// it (least first), or one with "desc" behind it. @throws UsageError
RuleOrder parse_rule_order(std::string_view text);
/// Sorts rules. By each key, those whose value does not exist go last; equal ones keep their order.
void sort_rules(std::vector<WrittenRule>& rules, const RuleOrder& order);

/// The names of columns with commas between, in lower case.
/// @throws UsageError for one that is unknown or there twice
std::vector<std::string> parse_rule_columns(std::string_view text);

/// Says which figures the rules of a run have.
struct RuleFigures {
  bool of_mean = false;
  bool quantiles = false;
  bool held_out = false;
  bool rescored = false;
  bool repeated = false;
};
/// Refuses fields that have no value in any rule of such a run: by them, rules would be left out or
/// in their order for no reason that can be seen.
/// @param fields  names in lower case
/// @throws UsageError with the reason
void expect_fields(std::span<const std::string> fields, const RuleFigures& figures);

/// "a field, did you mean 'lift'?", or where all are listed if none is near. Near are names that
/// end as this one does, too.
std::string expected_rule_field(std::string_view name);

/// All names of numbers, and those of texts, for help.
std::string rule_field_names();
std::string rule_text_names();

}  // namespace atl
