// Beam search over rules, the baseline that other searches are measured by.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/exhaustive/rules/enumerate.hpp"
#include "src/exhaustive/rules/item_rule.hpp"

namespace atl {

/// Level-wise: all rules of two comparisons, then, length by length, every way to add an item to
/// the antecedents of the best rules of the length before, by leverage, then the rules' order. The
/// beam is as wide as the budget allows: what pairs leave of it is divided evenly among the lengths
/// to come. (Clark and Niblett 1989, CN2; Lavrac et al. 2004, CN2-SD.)
/// @param evaluations  most rules to count; A => B and B => A are counted together, as one
/// @return the `top` best of all rules that were counted, after the filter of RuleClasses
MinedRules beam_search(const Items& items, const RuleLimits& limits, std::size_t top,
                       std::uint64_t evaluations);

}  // namespace atl
