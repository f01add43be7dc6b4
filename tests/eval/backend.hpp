#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/eval/evaluator.hpp"
#include "tests/support/random.hpp"

namespace atl::test {

/// The evaluator that the program tests. The dataset must outlive it.
std::unique_ptr<Evaluator> make_backend(const Dataset& dataset);
std::string backend_name();

inline std::vector<RuleCounts> counts_of(Evaluator& evaluator, std::span<const Rule> rules,
                                         const EvaluateOptions& options = {}) {
  std::vector<RuleCounts> counts(rules.size());
  evaluator.wait(evaluator.submit(rules, options), counts);
  return counts;
}

inline std::vector<Rule> random_rules(std::uint64_t seed, std::size_t count,
                                      std::span<const Attribute> attributes,
                                      std::uint32_t max_comparisons) {
  std::vector<Rule> rules;
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    RandomStream stream({seed, 1, 0, slot, Purpose::test});
    rules.push_back(random_rule(stream, attributes, max_comparisons));
  }
  return rules;
}

/// With as many again that lack a side, the antecedent or the consequent in turn.
inline std::vector<Rule> with_bare_sides(std::vector<Rule> rules) {
  for (std::size_t i = 0, count = rules.size(); i < count; ++i) {
    Rule bare = rules[i];
    (i % 2 == 0 ? bare.antecedent : bare.consequent) = Expression();
    rules.push_back(std::move(bare));
  }
  return rules;
}

/// All combinations.
inline std::vector<EvaluateOptions> all_options() {
  std::vector<EvaluateOptions> all;
  for (unsigned bits = 0; bits < 16; ++bits) {
    all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0});
  }
  return all;
}

}  // namespace atl::test
