// Decision lists as text, one rule a line: what is printed parses back to the same list.
//
//   if petal_length <= 2.45 then class = setosa
//   else if petal_width <= 1.75 AND (petal_length <= 4.95 OR NOT (origin = a)) then class = b
//   else class = virginica
//
// A list without rules is its last line without `else`. Antecedents are as in rule_text.hpp; the
// bounds of numbers are midway. Ends of lines are blanks. Names and labels that are `if`, `then` or
// `else` are in double quotes; only a class attribute of such a name has to be when it is read.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "src/rules/rule_set.hpp"

namespace atl {

/// The value alone, without quotes; [least, greatest] of a bin.
std::string class_label(std::uint32_t label, const Attribute& class_attribute);
/// `class = label`.
std::string class_text(std::uint32_t label, const Attribute& class_attribute);

/// `if antecedent then class = label`. @pre the antecedent is not empty
std::string rule_text(const ClassRule& rule, std::span<const Attribute> attributes,
                      const Attribute& class_attribute);

/// @param class_attribute  whose codes the labels are
/// @pre no antecedent is empty, as in canonical form
std::string to_text(const RuleSet& list, std::span<const Attribute> attributes,
                    const Attribute& class_attribute);

/// Reads a list for the table that it was learnt from.
/// @param source  what messages call the text
/// @return canonical
/// @throws BadCell with line and byte column: as parse_rule, a value that is no class, an
/// antecedent that names the class, too many rules or comparisons (rule_set.hpp)
RuleSet parse_rule_set(std::string_view text, std::span<const Attribute> attributes,
                       const Attribute& class_attribute, const std::string& source);

/// Reads a list for another table, with the class or without it, on whose rows it is to decide.
/// Conditions hold on values that the first table did not have as their text says, and labels that
/// this one does not have never hold.
/// @param learnt_from  attributes of the first table, at least the ordinal ones that the list
/// names: they tell the place of labels that this table does not have
/// @return rule by rule as it is written; labels are codes of class_attribute, the first table's
/// @throws BadCell likewise; also for a number that would divide a bin of this table
RuleSet parse_rule_set_for(std::string_view text, std::span<const Attribute> attributes,
                           std::span<const Attribute> learnt_from, const Attribute& class_attribute,
                           const std::string& source);

}  // namespace atl
