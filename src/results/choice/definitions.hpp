// Which rules say no more than how attributes depend on each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/rules/rule.hpp"

namespace atl {

class Definitions {
 public:
  /// There are none.
  Definitions() = default;
  /// @param targets  attributes that the user has named as what rules are to conclude: no rule that
  ///                 concludes one of them is a definition
  Definitions(Dependences dependences, DefinitionChoice choice,
              std::span<const std::uint32_t> targets);

  /// What the antecedent says tells, by the dependences alone, of every attribute of the
  /// consequent: so that parts of the antecedent that tell nothing change nothing. In an antecedent
  /// with OR or NOT each attribute must do so.
  /// @param rule  of the dataset's attributes; codes may be exact or bins
  bool is_definition(const Rule& rule) const;
  /// Is it a definition, and are these to stay out of the list?
  bool keeps_apart(const Rule& rule) const {
    return choice_ == DefinitionChoice::apart && is_definition(rule);
  }
  /// Attributes that a rule on this one is not to name, if it is to be in the list: they tell it,
  /// alone or as a group. Ascending; empty for a target, or if definitions are in the list.
  AttributeGroup telling(std::uint32_t consequent) const;

  const Dependences& dependences() const noexcept { return dependences_; }

 private:
  bool is_target(std::uint32_t attribute) const noexcept;
  bool tells(const Expression& antecedent, std::uint32_t consequent) const;

  Dependences dependences_;
  DefinitionChoice choice_ = DefinitionChoice::apart;
  std::vector<std::uint32_t> targets_;  // ascending
};

}  // namespace atl
