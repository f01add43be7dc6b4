#include "src/results/choice/definitions.hpp"

#include <algorithm>
#include <utility>

namespace atl {

Definitions::Definitions(Dependences dependences, DefinitionChoice choice,
                         std::span<const std::uint32_t> targets)
    : dependences_(std::move(dependences)),
      choice_(choice),
      targets_(targets.begin(), targets.end()) {
  std::sort(targets_.begin(), targets_.end());
}

bool Definitions::is_target(std::uint32_t attribute) const noexcept {
  return std::binary_search(targets_.begin(), targets_.end(), attribute);
}

bool Definitions::tells(const Expression& antecedent, std::uint32_t consequent) const {
  const auto comparisons = antecedent.comparisons();
  if (!antecedent.is_conjunction()) {
    return std::all_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) {
      return dependences_.relates({&c.attribute, 1}, consequent);
    });
  }
  std::vector<std::uint32_t> attributes;
  for (const Comparison& c : comparisons) attributes.push_back(c.attribute);
  if (dependences_.relates(attributes, consequent)) return true;
  // One that is set tells that the others of its group are not.
  const AttributeGroup* const group = dependences_.one_hot_of(consequent);
  return group != nullptr &&
         std::any_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) {
           return dependences_.one_hot_of(c.attribute) == group && takes(c, 1) && !takes(c, 0);
         });
}

bool Definitions::is_definition(const Rule& rule) const {
  const auto concluded = rule.consequent.comparisons();
  return !concluded.empty() && !rule.antecedent.empty() &&
         std::all_of(concluded.begin(), concluded.end(), [&](const Comparison& c) {
           return !is_target(c.attribute) && tells(rule.antecedent, c.attribute);
         });
}

AttributeGroup Definitions::telling(std::uint32_t consequent) const {
  if (choice_ == DefinitionChoice::include || is_target(consequent)) return {};
  return dependences_.telling(consequent);
}

}  // namespace atl
