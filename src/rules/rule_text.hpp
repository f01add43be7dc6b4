// Rules as text: what is printed parses back to the same rule.
//
//   age > 41 AND education = Masters => income = >50K
//
// comparison: name relation value | name in [low, high] | name not in [low, high]
// relation:   = != < <= > >=        (order relations on numeric and ordinal attributes only)
// connectives in falling precedence: NOT, AND, OR; parentheses; `=>` between the sides.
// A name or value that is empty, is a keyword, has blanks, quotes, brackets, commas or (names only)
// any of <>=! is written in double quotes, with \" and \\ inside. NOT (a = x) also holds where a is
// missing, a != x does not.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "src/data/attribute.hpp"
#include "src/rules/rule.hpp"

namespace atl {

std::string to_text(const Comparison& comparison, std::span<const Attribute> attributes);
std::string to_text(const Expression& expression, std::span<const Attribute> attributes);
std::string to_text(const Rule& rule, std::span<const Attribute> attributes);

/// @param source  what messages call the text
/// @return canonical
/// @throws BadCell with line and byte column: syntax, unknown attribute or label, a number between
///         two values of a binned attribute, a comparison that nothing can satisfy
Comparison parse_comparison(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source);
Expression parse_expression(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source);
Rule parse_rule(std::string_view text, std::span<const Attribute> attributes,
                const std::string& source);

}  // namespace atl
