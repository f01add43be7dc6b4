// Leaves out of a result what says nothing new.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/results/refinement/counted_rules.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_record.hpp"
#include "src/rules/rule_statistics.hpp"

namespace atl {

/// Tells which rules say no more than how attributes depend on each other.
class Definitions {
 public:
  /// There are none.
  Definitions() = default;
  /// @param targets  attributes that the user has named as what rules are to conclude: no rule that
  ///                 concludes one of them is a definition
  Definitions(Dependences dependences, DefinitionChoice choice,
              std::span<const std::uint32_t> targets);

  /// Does the antecedent tell, by the dependences alone, of every attribute of the consequent?
  /// `is missing` and `is known` tell nothing but of attributes that are missing together. Parts of
  /// the antecedent that tell nothing change nothing. In an antecedent with OR or NOT each
  /// attribute must do so.
  /// @param rule  of the dataset's attributes; codes may be exact or bins
  /// @param attributes  those with the rule's codes
  bool is_definition(const Rule& rule, std::span<const Attribute> attributes) const;
  /// Is it a definition, and are these to stay out of the list?
  bool keeps_apart(const Rule& rule, std::span<const Attribute> attributes) const {
    return choice_ == DefinitionChoice::apart && is_definition(rule, attributes);
  }
  /// Attributes that a rule on this one is not to name, if it is to be in the list: they tell it,
  /// alone or as a group. Ascending; empty for a target, or if definitions are in the list.
  AttributeGroup telling(std::uint32_t consequent) const;

  const Dependences& dependences() const noexcept { return dependences_; }

 private:
  bool is_target(std::uint32_t attribute) const noexcept;
  bool tells(const Expression& antecedent, std::uint32_t consequent,
             std::span<const Attribute> attributes) const;

  Dependences dependences_;
  DefinitionChoice choice_ = DefinitionChoice::apart;
  std::vector<std::uint32_t> targets_;  // ascending
};

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

/// Removes redundant rules. Of rules whose antecedents and consequents cover the same rows (hash
/// and counts), the one with the fewest comparisons, then first in the rules' order, stays and
/// lists the others as equivalents; it takes the first place among them. A conjunction is dropped
/// if another rule with the same consequent and a proper subset of its antecedent's comparisons, or
/// wider intervals on them, has at least its confidence and leverage, or of rules about a mean its
/// effect size and impact; and if one of as many comparisons within its bounds holds on as many
/// rows of the consequent and on fewer others.
/// @param records  best first
/// @param counts   [records] with coverage hashes where another record has the same table
/// @param stay     rules that are not dropped; beside a more general rule they become variants
/// @return in the order given
std::vector<RuleRecord> remove_redundant(std::span<const RuleRecord> records,
                                         std::span<const RuleStatistics> counts,
                                         std::span<const Attribute> attributes,
                                         const std::set<Rule>& stay = {});

/// Is one of these the record's rule or an equivalent?
bool has_one_of(const RuleRecord& record, const std::set<Rule>& rules);

/// Does every row that `narrow` holds on belong to `wide`? Of comparisons on one attribute.
bool implies(const Comparison& narrow, const Comparison& wide, std::uint32_t distinct) noexcept;

/// Has the general one of two conjunctions a proper subset of the comparisons, or the same or fewer
/// with wider intervals?
bool generalises(const Expression& general, const Expression& special,
                 std::span<const Attribute> attributes);

}  // namespace atl
