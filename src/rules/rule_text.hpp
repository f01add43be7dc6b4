// Rules as text: what is printed parses back to the same rule.
//
//   age > 41 AND education = Masters => income = >50K
//
// comparison: name relation value | name in [low, high] | name not in [low, high]
//             | name is missing | name is known
// relation:   = != < <= > >=        (order relations on numeric, date and ordinal attributes only)
// connectives in falling precedence: NOT, AND, OR; parentheses; `=>` between the sides.
// A name or value that is empty, is a keyword (AND OR NOT in not =>), has blanks, quotes, brackets,
// commas or (names only) any of <>=! is written in double quotes, with \" \\ \n \r \t
// inside; so are if, then and else, which need none to be read. So is one with other control
// characters or marks that a terminal obeys: \u and four hexadecimal digits. A consequent may also
// be mean(a) or low mean(a), which hold wherever numeric a has a value; what makes them more than
// `in [least, greatest]` is in the rule's table. A date is written as in ISO 8601, with a zone
// where the attribute has one, Z if it is printed: when > 2024-03-01T12:30:15Z. Where times are
// asked for, a date without one is its first moment. NOT (a = x) also holds where a is missing, a
// != x does not; NOT (a is known) is a is missing. Where attributes are items of transactions, a
// name alone says that the item is there: bread AND milk => butter.
//
// An interval of codes is printed by values: `= v` if it is one value, else `<= high` or `> high of
// the code before` if it touches an end, else `in [low, high]`; all codes are `is known`, or `in
// [least, greatest]` where no value is missing; `in` follows the order of the labels on nominal
// attributes too. A bound of numbers is the shortest that has the same rows; a lone value of more
// digits than people write is `in` two shorter ones. Numbers and dates need not occur in the data:
// they are mapped to the codes between them, unless they would divide a bin.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// A comparison by values, as text has it: relation is one of = != < <= > >= in "not in" "is
/// missing" "is known"; values are one, the two ends of an interval, or, of the last two, none,
/// labels without quotes.
struct Condition {
  const char* relation;
  std::vector<std::string> values;
};

/// The place where bounds of numbers that have an order are written, dates excepted. All are read
/// back to the same codes.
enum class WrittenBounds {
  at_values,  ///< of the data, whatever their digits
  short_,     ///< fewest digits up to the neighbouring value (short_bound()), else at values
  /// Midway between neighbours (short_middle()), where rows that are not in the data are told apart
  /// best. A lone code at an end of three or more is <= or >, too, as values beyond it are to hold.
  midway
};

Condition to_condition(const Comparison& comparison, const Attribute& attribute,
                       WrittenBounds bounds = WrittenBounds::short_);

std::string to_text(const Comparison& comparison, std::span<const Attribute> attributes,
                    WrittenBounds bounds = WrittenBounds::short_);
std::string to_text(const Expression& expression, std::span<const Attribute> attributes,
                    WrittenBounds bounds = WrittenBounds::short_);
std::string to_text(const Rule& rule, std::span<const Attribute> attributes);

/// @param source  what messages call the text
/// @return canonical
/// @throws BadCell with line and byte column: syntax, unknown attribute or label, a number that
///         would divide a bin, `=`, `in` or an order relation that nothing can satisfy
Comparison parse_comparison(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source);
Expression parse_expression(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source);

/// The place, from a place outside quotes on, of the first of these words that stands outside
/// quotes; the length of the text if none does.
std::size_t find_unquoted(std::string_view text, std::span<const std::string_view> words,
                          std::size_t from = 0) noexcept;

/// The two sides of a rule's text, as they are written; all of it and nothing where there is no
/// `=>`.
std::pair<std::string_view, std::string_view> sides_of(std::string_view rule) noexcept;

/// The treatment of comparisons with labels and ranges of numbers that the data do not have. A
/// nominal label that is not there still has its place in the order that intervals follow.
enum class Unseen { refused, never_holds };
/// If what is unseen never holds, the rule is not brought into canonical form.
Rule parse_rule(std::string_view text, std::span<const Attribute> attributes,
                const std::string& source, Unseen unseen = Unseen::refused);

}  // namespace atl
