// Decision lists (Rivest 1987): rules that classify, in the order in which they are asked.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// Puts the rows that its antecedent holds on into a class.
struct ClassRule {
  Expression antecedent;
  std::uint32_t label = 0;  ///< code of the class attribute

  friend bool operator==(const ClassRule&, const ClassRule&) = default;
  friend std::strong_ordering operator<=>(const ClassRule&, const ClassRule&) = default;
};

/// The first rule that covers a row decides its class; the default class has those that none does.
struct RuleSet {
  std::vector<ClassRule> rules;
  std::uint32_t default_class = 0;  ///< code of the class attribute

  std::size_t comparisons() const noexcept;
  friend bool operator==(const RuleSet&, const RuleSet&) = default;
  /// Total order by attributes and codes: number of rules, of comparisons, rules, default class.
  friend std::strong_ordering operator<=>(const RuleSet& a, const RuleSet& b) noexcept;
};

/// Decides every row as before: antecedents are canonical, rules whose antecedent stands earlier in
/// the list go, and those at the end that say what the default class says. Idempotent.
RuleSet canonical(const RuleSet& list, std::span<const Attribute> attributes);

/// Number of symbols of the antecedents as the papers count them: 3 a comparison, 1 a connective.
std::size_t symbols(const RuleSet& list) noexcept;

void encode(ByteWriter& out, const RuleSet& list);
/// @param class_attribute  whose codes the labels are; no antecedent may name it
/// @throws BadBytes also if the list is malformed, names attributes or codes that do not exist, or
///         is not in canonical form
RuleSet decode_rule_set(ByteReader& in, std::span<const Attribute> attributes,
                        std::uint32_t class_attribute);

}  // namespace atl
