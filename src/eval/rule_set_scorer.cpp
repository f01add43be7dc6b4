#include "src/eval/rule_set_scorer.hpp"

#include "src/eval/rule_counter.hpp"

namespace atl {

RuleConfusion confusion_of(const RuleSetCounts& counts, std::size_t rule, std::uint32_t label) {
  const std::size_t classes = counts.decided.size() - counts.covered.size();
  std::vector<std::uint64_t> rows(classes);
  for (std::size_t i = 0; i < counts.decided.size(); ++i) rows[i % classes] += counts.decided[i];
  RuleConfusion confusion;
  for (std::size_t c = 0; c < classes; ++c) {
    const std::uint64_t covered = counts.covered[rule * classes + c];
    (c == label ? confusion.true_positives : confusion.false_positives) += covered;
    (c == label ? confusion.false_negatives : confusion.true_negatives) += rows[c] - covered;
  }
  return confusion;
}

ConfusionMatrix confusion_matrix(const RuleSet& list, const RuleSetCounts& counts) {
  const std::size_t rules = list.rules.size(), classes = counts.decided.size() / (rules + 1);
  ConfusionMatrix matrix(classes);
  for (std::size_t rule = 0; rule <= rules; ++rule) {
    const std::uint32_t label = rule < rules ? list.rules[rule].label : list.default_class;
    for (std::size_t actual = 0; actual < classes; ++actual) {
      matrix.add(actual, label, counts.decided[rule * classes + actual]);
    }
  }
  return matrix;
}

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
