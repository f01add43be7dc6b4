// Decision lists on the rows of any table, which a scorer's device need not have: which rule
// decides each row, and how right the rules are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/rule_set_scorer.hpp"
#include "src/rules/rule_set.hpp"

namespace atl {

/// The rule that decides each row of the shard: list.rules.size() for the default class.
/// @param list  of the table's attributes, canonical or not; codes beyond a dictionary hold nowhere
/// @return [rows]
std::vector<std::uint32_t> deciding_rules(const RuleSet& list, const Dataset& data);

/// Counts how the list decides the rows of each class, as a scorer does.
/// @param row_classes  [rows] below `classes`, or missing_code, which counts for nothing
/// @param classes      no fewer than the list has labels
/// @param pool         whose threads share the work; null: this one does it
RuleSetCounts count_classes(const RuleSet& list, const Dataset& data,
                            std::span<const std::uint32_t> row_classes, std::size_t classes,
                            ThreadPool* pool = nullptr);

/// The classes of two tables together.
struct JointClasses {
  std::vector<std::string> labels;   ///< of the first table, by code, then those of the other alone
  std::vector<std::uint32_t> codes;  ///< [codes of the other] index in labels
};
/// A class of the other is one of the first table if it has its text, else if it alone is the same
/// number (find_label).
/// @param classes  what a list was learnt from @param theirs  of the table that it is applied to
JointClasses join_classes(const Attribute& classes, const Attribute& theirs);

}  // namespace atl
