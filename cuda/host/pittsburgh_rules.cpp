#include "cuda/host/pittsburgh_rules.hpp"

#include <algorithm>
#include <string>

#include "src/core/error.hpp"

namespace atl::cuda {

void PittsburghRules::build(std::span<const RuleSet> lists, std::span<const Attribute> attributes) {
  most_rules_ = 0;
  for (const RuleSet& list : lists) {
    most_rules_ = std::max(most_rules_, static_cast<std::uint32_t>(list.rules.size()));
  }
  symbols_.clear();
  begins_.assign(lists.size() * most_rules_, none);
  consequents_.assign(begins_.size(), 0);
  defaults_.clear();
  for (std::size_t l = 0; l < lists.size(); ++l) {
    for (std::size_t r = 0; r < lists[l].rules.size(); ++r) {
      const ClassRule& rule = lists[l].rules[r];
      begins_[l * most_rules_ + r] = symbols_.size();
      consequents_[l * most_rules_ + r] = static_cast<std::int32_t>(rule.label);
      append(rule.antecedent, attributes);
    }
    defaults_.push_back(static_cast<std::int32_t>(lists[l].default_class));
  }
}

/// An interval that neither end of the codes is in, or its complement, is two comparisons.
void PittsburghRules::append(const Expression& antecedent, std::span<const Attribute> attributes) {
  if (antecedent.depth() + 1 > pittsburgh_levels) {
    throw UsageError("the published pipeline has a stack of " + std::to_string(pittsburgh_levels) +
                     " truths, and a rule needs more");
  }
  const Comparison* next = antecedent.comparisons().data();
  for (const Op op : antecedent.program()) {
    if (op != Op::comparison) {
      append(op == Op::conjunction   ? PittsburghSymbol::conjunction
             : op == Op::disjunction ? PittsburghSymbol::disjunction
                                     : PittsburghSymbol::negation);
      continue;
    }
    const Comparison& c = *next++;
    using enum PittsburghSymbol;
    if (asks_missing(c)) throw UsageError("the published pipeline has no comparison `is missing`");
    if (c.low == c.high) {
      append(c.negated ? not_equal : equal, c.attribute, c.low);
    } else if (c.low == 0) {
      append(c.negated ? greater : less_equal, c.attribute, c.high);
    } else if (c.high + 1 >= attributes[c.attribute].distinct()) {
      append(c.negated ? less : greater_equal, c.attribute, c.low);
    } else {
      append(c.negated ? less : greater_equal, c.attribute, c.low);
      append(c.negated ? greater : less_equal, c.attribute, c.high);
      append(c.negated ? disjunction : conjunction);
    }
  }
  append(PittsburghSymbol::end_rule);
}

void PittsburghRules::append(PittsburghSymbol symbol, std::uint32_t attribute,
                             std::uint32_t value) {
  append(symbol);
  symbols_.push_back(static_cast<float>(attribute));
  symbols_.push_back(static_cast<float>(value));
}

}  // namespace atl::cuda
