// Filters on rules, as `rules --where` takes them:
//
//   condition  := all { OR all }          all := term { AND term }
//   term       := NOT term | ( condition ) | operand relation operand
//                 | attribute [IS MISSING | IS KNOWN] [NOT] IN side
//                 | attribute equality label [IN side] | text equality word
//   operand    := field | number | number%
//   relation   := < <= > >= = !=
//   side       := rule | antecedent | consequent
//   equality   := = | !=
//
// Keywords, fields and sides in any case, attributes and labels as the data have them. Fields are
// the columns of rules.csv that hold numbers, or lists, for which their lengths stand; texts are
// the others. A number may be inf. A comparison with a value that does not exist is false. An
// attribute is in a side that names it, or says of it that it is missing or known; it has a label
// where one of its comparisons is `= label`; names and labels stand in double quotes, with the
// escapes of rules as text, if they have blanks, quotes or any of < > = ! ( ), if they are NOT, or
// if attributes are called as columns are.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/results/written/rule_fields.hpp"

namespace atl {

using RuleFilter = std::function<bool(const WrittenRule&)>;

struct Where {
  RuleFilter holds;
  std::vector<std::string> fields;      ///< that it names, in lower case
  std::vector<std::string> attributes;  ///< likewise, as written
};

/// @throws UsageError with the position in the text
Where parse_where(std::string_view text);

/// The grammar, for --help.
std::string where_help();

}  // namespace atl
