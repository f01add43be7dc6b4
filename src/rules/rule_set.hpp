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
  Expression antecedent;    ///< empty: holds on every row
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

/// Lists that come from elsewhere, as text or bytes, are refused beyond these. Of antecedents it is
/// also how deep they can be nested, and work on them is recursive.
inline constexpr std::size_t most_class_rules = std::size_t{1} << 16;
inline constexpr std::size_t most_antecedent_comparisons = std::size_t{1} << 10;

/// Decides the class of every row as before. Antecedents are canonical; a rule whose antecedent
/// stands earlier in the list goes; where one is empty, its class becomes the default and the list
/// ends. Rules at the end that say what the default class says stay, as they may tell other
/// probabilities. Idempotent.
RuleSet canonical(const RuleSet& list, std::span<const Attribute> attributes);

/// Does any antecedent have a comparison on this attribute?
bool names(const RuleSet& list, std::uint32_t attribute) noexcept;

/// Number of symbols of the antecedents as the papers count them: 3 a comparison, 1 a connective.
std::size_t symbols(const RuleSet& list) noexcept;

/// @pre no antecedent is empty, as in canonical form
void encode(ByteWriter& out, const RuleSet& list);
/// @param class_attribute  index of the one whose codes the labels are; no antecedent may name it
/// @throws BadBytes also if the list is malformed, larger than lists from elsewhere may be, names
///         attributes, codes or classes that do not exist, or is not in canonical form
RuleSet decode_rule_set(ByteReader& in, std::span<const Attribute> attributes,
                        std::uint32_t class_attribute);

}  // namespace atl
