#include "islands/rule_sets/sampled_list.hpp"

#include <utility>

namespace atl {

SharedRule sampled(ClassRule rule, const ClassSample& sample) {
  auto made = std::make_shared<SampledRule>();
  made->rule = std::move(rule);
  made->cover.resize(sample.words());
  sample.cover(made->rule.antecedent, made->cover.data());
  return made;
}

SharedRule relabelled(const SampledRule& rule, std::uint32_t label) {
  auto made = std::make_shared<SampledRule>(rule);
  made->rule.label = label;
  return made;
}

RuleSet SampledList::list() const {
  RuleSet made;
  made.default_class = default_class;
  made.rules.reserve(rules.size());
  for (const SharedRule& rule : rules) made.rules.push_back(rule->rule);
  return made;
}

bool better(const SampledList& a, const SampledList& b) {
  if (a.fitness != b.fitness) return a.fitness > b.fitness;
  if (a.comparisons != b.comparisons) return a.comparisons < b.comparisons;
  return a.list() < b.list();
}

}  // namespace atl
