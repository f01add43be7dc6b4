// Decision lists that benchmarks score: the same for a table and a size on every machine
// (docs/reference/bench.md states how they are drawn).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/rule_set.hpp"

namespace atl {

enum class RuleSetShape {
  conjunctions,
  grammar,  ///< AND, OR and NOT as the paper's grammar has them (Figure 1)
};
const char* to_string(RuleSetShape shape) noexcept;

struct RuleSetWorkload {
  std::uint32_t lists = 100;
  /// Symbols of all antecedents of a list, connectives and relations included, about.
  double symbols = 0;
  RuleSetShape shape = RuleSetShape::conjunctions;
};

/// Lists with as many rules as there are classes, one for each; the default class is the first of
/// the most frequent ones. One-sided comparisons on ordered attributes, equalities and their
/// complements on others.
/// @param attributes  with counts; at least one beside the class
std::vector<RuleSet> workload_lists(std::span<const Attribute> attributes,
                                    std::uint32_t class_attribute, const RuleSetWorkload& workload);

}  // namespace atl
