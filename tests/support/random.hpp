// Random tables and rules for property tests; the same for a seed on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/random.hpp"
#include "src/data/attribute.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_set.hpp"

namespace atl::test {

struct RandomTable {
  std::vector<Attribute> attributes;                ///< all kinds, 1 to 300 codes
  std::vector<std::vector<std::uint32_t>> columns;  ///< [attributes][rows]
};

/// @param missing  whether some attributes have missing values
RandomTable random_table(std::uint64_t seed, std::uint64_t rows, std::uint32_t attributes,
                         bool missing);

/// Needs two attributes. A rule of any shape (AND, OR, NOT, negated intervals), not canonical,
/// sides disjoint, with 2 to max_comparisons comparisons.
Rule random_rule(RandomStream& stream, std::span<const Attribute> attributes,
                 std::uint32_t max_comparisons);

/// Needs two attributes. Not canonical: antecedents of any shape, none on the class, some of them
/// repeated, rules at the end that say what the default class says.
/// @param most  rules, and comparisons of each
RuleSet random_rule_set(RandomStream& stream, std::span<const Attribute> attributes,
                        std::uint32_t class_attribute, std::uint32_t most);

}  // namespace atl::test
