// The best rules there are, by search of the whole space with bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/exhaustive/rules/item_rule.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

struct MinedRules {
  std::vector<RuleRecord> rules;  ///< as RuleClasses::best gives them
  std::uint64_t counted = 0;      ///< different rules, X => Y and Y => X as one: of the space
  std::uint64_t evaluated = 0;    ///< times that one was counted, as longer rules pass shorter ones
  std::vector<std::uint64_t> by_length = {};  ///< of them, from 2 comparisons on; not of a beam
  bool complete = true;  ///< false: it stopped at a length, and the rules need not be the best
};

/// The `top` best rules by leverage, ties at the last place included, of the grammar
///
///   <rule> ::= <side> => <item>      <side> ::= <item> | <side> AND <side>
///
/// within the limits, after the filter of RuleClasses. Exact. Blocking; does not depend on the
/// number of threads.
/// @param most  rules of one length whose antecedent begins with one item, to be counted at most
MinedRules enumerate_rules(const Items& items, const RuleLimits& limits, std::size_t top,
                           ThreadPool& pool, std::uint64_t most = ~std::uint64_t{0});

}  // namespace atl
