#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/eval/device.hpp"
#include "tests/support/random.hpp"

namespace atl::test {

/// A table on the kind of device that the program tests. The dataset must outlive it.
std::shared_ptr<Resident> load(const Dataset& dataset);
std::string backend_name();

inline std::vector<RuleCounts> counts_of(Resident& resident, std::span<const Rule> rules,
                                         const CountingOptions& options = {}) {
  const auto counter = resident.rule_counter();
  counter->prepare(rules, options);
  counter->start();
  counter->finish();
  std::vector<RuleCounts> counts(rules.size());
  counter->read(counts);
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
inline std::vector<CountingOptions> all_options() {
  std::vector<CountingOptions> all;
  for (unsigned bits = 0; bits < 16; ++bits) {
    all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0});
  }
  return all;
}

}  // namespace atl::test
