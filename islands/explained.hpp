// Rules that hold only because a better one does.
#pragma once

#include <span>

#include "src/data/attribute.hpp"
#include "src/eval/evaluator.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Is less than half of the rule's leverage left when a better rule about the same attributes is
/// given? What is left is the rule's leverage among the rows of the better antecedent plus that
/// among the other rows (stratified as by Mantel and Haenszel 1959). It is little if the better
/// rule's rows are most of what makes the rule true (the rule has some of them, and others), and
/// also where they are what makes it false elsewhere: to know that X2 lowers y is to know that
/// what is not X2 has more of it. Two things said of about the same rows do not explain each other:
/// if the consequents exclude each other, the better antecedent only counts for rows outside it.
/// Rules about a mean, and those whose leverage is not above 0, are never explained.
/// @param better   rules in the codes of `rule`
/// @param options  of the counts in the records
bool explained(const RuleRecord& rule, std::span<const RuleRecord> better,
               const EvaluateOptions& options, Evaluator& evaluator);

}  // namespace atl
