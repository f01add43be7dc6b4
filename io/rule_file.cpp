#include "io/rule_file.hpp"

#include <algorithm>
#include <utility>

#include "src/rules/rule_text.hpp"

namespace atl::io {
namespace {

std::vector<WrittenComparison> written(const Expression& side,
                                       std::span<const Attribute> attributes) {
  std::vector<WrittenComparison> out;
  for (const Comparison& comparison : side.comparisons()) {
    const Attribute& attribute = attributes[comparison.attribute];
    Condition condition = to_condition(comparison, attribute);
    out.push_back({attribute.name, condition.relation, std::move(condition.values),
                   attribute.kind == AttributeKind::numeric});
  }
  return out;
}

}  // namespace

std::vector<WrittenRule> to_written(std::span<const RuleRecord> records,
                                    std::span<const Attribute> attributes) {
  std::vector<WrittenRule> rules;
  for (const RuleRecord& record : records) {
    WrittenRule rule;
    rule.id = rules.size() + 1;
    rule.text = to_text(record.rule, attributes);
    rule.antecedent = written(record.rule.antecedent, attributes);
    rule.consequent = written(record.rule.consequent, attributes);
    rule.table = record.table;
    rule.missing_consequent = record.missing_consequent;
    rule.generation = record.generation;
    rule.island = record.island;
    for (const Rule& other : record.equivalents) {
      rule.equivalents.push_back(to_text(other, attributes));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<Measure> with_interval(std::span<const Measure> measures) {
  std::vector<Measure> all(measures.begin(), measures.end());
  for (const Measure bound : {Measure::confidence_low, Measure::confidence_high}) {
    if (std::find(all.begin(), all.end(), bound) == all.end()) all.push_back(bound);
  }
  return all;
}

const char* to_string(Drift drift) noexcept {
  constexpr const char* names[] = {"kept", "fell", "rose", "gone"};
  return names[static_cast<std::size_t>(drift)];
}

}  // namespace atl::io
