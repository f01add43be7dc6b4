// Rules that hold only because a better one does.
#pragma once

#include <span>

#include "src/data/attribute.hpp"
#include "src/eval/device.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Given a better rule about the same attributes, is less than half of the rule's leverage left,
/// and less than half of what it could be? What is left is its leverage among the rows of the
/// better antecedent plus that among the other rows (stratified as by Mantel and Haenszel 1959); it
/// could be what it is where the consequent always holds. So a rule is explained that has some of
/// the better one's rows, or others besides, unless it leaves few exceptions where the better one
/// leaves many; and a shadow: if X has more of y, what is not X has less of it. Rules that exclude
/// each other's consequent only explain shadows, of less lift than their own: two things may be
/// true of about the same rows. Rules about a mean, and those whose leverage is not above 0, are
/// never explained.
/// @param better   rules in the codes of `rule`
/// @param options  of the counts in the records
bool confounded(const RuleRecord& rule, std::span<const RuleRecord> better,
                const CountingOptions& options, Resident& resident);

}  // namespace atl
