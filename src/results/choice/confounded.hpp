// Rules that hold only because a better one does.
#pragma once

#include <span>

#include "src/results/refinement/counted_rules.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Does a better rule about the same attributes explain a rule? The rows are parted into those of
/// the better antecedent and the others, and the rule's leverages in both parts are added
/// (stratified as by Mantel and Haenszel 1959). The rule is explained if this sum is less than half
/// of the rule's leverage, and less than half of what the sum would be if the consequent always
/// held. A rule that shares rows with a better one is therefore explained, unless it leaves few
/// exceptions where the better one leaves many. A mirror is explained, too: if y is frequent where
/// X holds, it is rare where X does not hold. If two consequents exclude each other, the better
/// rule explains only a mirror of less lift than its own, because both rules may be true of about
/// the same rows. Rules about a mean, and rules without positive leverage, are never explained.
/// @param better   rules in the codes of `rule`
/// @param counted  with the options of the counts in the records
/// @return the first one that explains it; null: none does
const RuleRecord* confounder(const RuleRecord& rule, std::span<const RuleRecord> better,
                             CountedRules& counted);

}  // namespace atl
