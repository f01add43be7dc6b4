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

#include "src/app/rule_fields.hpp"

namespace atl {

using RuleFilter = std::function<bool(const io::WrittenRule&)>;

/// @throws UsageError with the position in the text
RuleFilter parse_where(std::string_view text);

/// The grammar, for --help.
std::string where_help();

}  // namespace atl
