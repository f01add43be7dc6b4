// Filters on rules, as `rules --where` takes them:
//
//   condition  := all { OR all }          all := term { AND term }
//   term       := NOT term | ( condition ) | operand relation operand
//   operand    := field | number | number%
//   relation   := < <= > >= = !=
//
// Keywords and fields in any case. Fields are the columns of rules.csv that hold numbers. A number
// may be inf. A comparison with a value that does not exist is false.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/rule_file.hpp"

namespace atl {

/// A number of a rule; NaN where it does not exist.
using RuleField = std::function<double(const io::WrittenRule&)>;

/// By the name of a column of rules.csv, in any case. @throws UsageError listing the names
RuleField rule_field_named(std::string_view name);

using RuleFilter = std::function<bool(const io::WrittenRule&)>;

/// @throws UsageError with the position in the text
RuleFilter parse_where(std::string_view text);

/// The grammar, for --help.
std::string where_help();

}  // namespace atl
