// Leaves out of a result what says nothing new.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/eval/coverage_sample.hpp"
#include "src/rules/rule_counts.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Of rules whose antecedents and consequents cover the same rows (hash and counts) the one with
/// the fewest comparisons, then first in the rules' order, stays and lists the others as
/// equivalents; it takes the first place among them. A conjunction is dropped if another rule
/// with the same consequent and a proper subset of its antecedent's comparisons, or wider
/// intervals on them, has at least its confidence and leverage, or of rules about a mean its effect
/// size and impact.
/// @param records  best first
/// @param counts   [records] with coverage hashes where another record has the same table
/// @return in the order given
std::vector<RuleRecord> remove_redundant(std::span<const RuleRecord> records,
                                         std::span<const RuleCounts> counts,
                                         std::span<const Attribute> attributes);

/// The first `top` records that are not more similar (similarity(), coverage_sample.hpp) than
/// `most_similar` to one before them; where two conclude bounds and one is as similar to the
/// other's mirror, the one of greater lift. (Of labels the mirror is a rule of another class, which
/// may be what was asked for.) Below a `most_similar` of 1 nothing that says no more than a rule
/// before it stays, either.
/// @param records       best first
/// @param says_no_more  than one of the records selected so far; not asked if it is empty
std::vector<RuleRecord> select_unlike(
    std::span<const RuleRecord> records, std::span<const Attribute> attributes,
    const CoverageSample& sample, double most_similar, std::size_t top,
    const std::function<bool(const RuleRecord&, std::span<const RuleRecord>)>& says_no_more = {});

}  // namespace atl
