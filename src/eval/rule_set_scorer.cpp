#include "src/eval/rule_set_scorer.hpp"

#include "src/eval/rule_counter.hpp"

namespace atl {

void expect_fit(std::span<const RuleSet> lists, std::span<const Attribute> attributes,
                std::uint32_t class_attribute) {
  const std::uint32_t classes = attributes[class_attribute].distinct();
  const auto expect_label = [&](std::size_t list, std::uint32_t label) {
    if (label >= classes) throw UnfitList(list, "names class " + std::to_string(label));
  };
  for (std::size_t l = 0; l < lists.size(); ++l) {
    expect_label(l, lists[l].default_class);
    for (const ClassRule& rule : lists[l].rules) {
      expect_label(l, rule.label);
      for (const Comparison& comparison : rule.antecedent.comparisons()) {
        if (comparison.attribute >= attributes.size()) {
          throw UnknownAttribute(l, comparison.attribute);
        }
        if (comparison.attribute == class_attribute) throw UnfitList(l, "asks for the class");
      }
    }
  }
}

}  // namespace atl
