#include "islands/rule_sets/sampled_list.hpp"

namespace atl {

RuleSet SampledList::list() const {
  RuleSet made;
  made.default_class = default_class;
  made.rules.reserve(rules.size());
  for (const SharedRule& rule : rules) made.rules.push_back(rule->rule());
  return made;
}

bool better(const SampledList& a, const SampledList& b) {
  if (a.fitness != b.fitness) return a.fitness > b.fitness;
  if (a.comparisons != b.comparisons) return a.comparisons < b.comparisons;
  return a.list() < b.list();
}

}  // namespace atl
