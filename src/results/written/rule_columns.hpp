// The one table of what is said of a rule. rules.csv, rules.json, printed tables, --where and
// --sort take their names and values from it: a new figure is one line in rule_columns.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/results/written/written_rule.hpp"

namespace atl {

/// A count, a figure (NaN where it does not exist), a text, or a list of texts.
using RuleValue = std::variant<std::uint64_t, double, std::string, std::vector<std::string>>;

/// The end of a column that --sort puts first.
enum class GoodEnd : std::uint8_t {
  greatest,
  least,
  of_side,  ///< the greatest, or the least of rules about a low mean
};

struct RuleColumn {
  std::string name;  ///< in rules.csv, in printed tables, and in --where, --sort and --columns
  std::string key;   ///< in rules.json, within the object of its group; empty: rules.json has none
  std::function<RuleValue(const WrittenRule&)> value;
  bool is_number = true;  ///< --where and --sort take lists for their lengths; else it is a text
  /// rules.json leaves it out, and printed tables leave its cell empty, where it does not exist.
  bool optional = false;
  GoodEnd good = GoodEnd::greatest;
  /// All texts that it can be, the better first; empty: any, in the order of their bytes.
  std::vector<std::string> texts = {};
};

/// The rows that figures were counted on.
enum class RuleRows : std::uint8_t {
  mined,     ///< those that the rule was mined on
  held_out,  ///< WrittenRule::held_out; names begin with holdout_
  rescored,  ///< WrittenRule::rescored; names begin with on_
};
std::string_view column_prefix(RuleRows rows) noexcept;

// Groups of columns. A figure on rows that the rule does not tell of is NaN.
std::vector<RuleColumn> identity_columns();  ///< number and text
std::vector<RuleColumn> length_columns();
std::vector<RuleColumn> count_columns(RuleRows rows);
std::vector<RuleColumn> measure_columns(RuleRows rows, std::span<const Measure> measures);
std::vector<RuleColumn> quantile_columns(RuleRows rows);
std::vector<RuleColumn> test_columns(RuleRows rows);  ///< none of the rows mined
std::vector<RuleColumn> origin_columns();             ///< where it was found, and what equals it
std::vector<RuleColumn> relation_columns();           ///< how it stands to other rules

/// The columns of these names. @pre all are known
std::vector<RuleColumn> named_columns(std::span<const std::string> names);
/// The columns of rules.csv, in their order.
std::vector<RuleColumn> csv_columns(const ColumnChoice& choice);
/// All columns that there are, of all measures.
std::span<const RuleColumn> all_rule_columns();
/// The column of that name, in any case; null if there is none.
const RuleColumn* find_rule_column(std::string_view name);

}  // namespace atl
