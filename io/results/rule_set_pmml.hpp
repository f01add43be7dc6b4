// A decision list as PMML 4.4, which other programs can apply: a RuleSetModel whose first rule that
// fires decides.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/results/xml_writer.hpp"
#include "src/eval/rule_set_scorer.hpp"
#include "src/rules/expression.hpp"
#include "src/rules/rule_set.hpp"

namespace atl::io {

/// Writes one predicate. @pre not empty
void write_predicate(XmlWriter& out, const Expression& expression,
                     std::span<const Attribute> attributes);

/// A rule's distribution of scores, its record count and its confidence are of the rows that it
/// decides, since a program that applies the list asks it about no others.
/// Bounds of numbers are midway, as in the list's text. Other labels than those of the data are
/// equal to none of them; an order of labels holds on those of the data alone. Times with a zone
/// are in UTC, and without a zone, since programs that apply PMML read none.
/// @param list    no antecedent is empty, as in canonical form
/// @param counts  of the list on its data, by the codes of the class attribute
/// @throws UsageError if a name or label has a character that XML cannot hold
std::string rule_set_pmml(const RuleSet& list, std::span<const Attribute> attributes,
                          std::uint32_t class_attribute, const RuleSetCounts& counts);

}  // namespace atl::io
