// The best rules there are, by search of the whole space with bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/rules/item_rule.hpp"
#include "src/exhaustive/rules/rule_classes.hpp"
#include "src/exhaustive/rules/rule_walk.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

struct MinedRules {
  std::vector<RuleRecord> rules;  ///< as RuleClasses::best gives them
  std::uint64_t counted = 0;      ///< different rules, X => Y and Y => X as one: of the space
  std::uint64_t evaluated = 0;    ///< times that one was counted, as longer rules pass shorter ones
  std::vector<std::uint64_t> by_length = {};  ///< of them, from 2 comparisons on; not of a beam
  bool complete = true;  ///< false: it stopped at a length, and the rules need not be the best
};

/// What is known of all lengths so far, and found of the one at hand.
class EnumeratedRules {
 public:
  EnumeratedRules(const Items& items, const RuleLimits& limits, std::size_t top);

  /// Of the length at hand, from 2 comparisons on.
  WalkedLength length() const;
  void add(WalkFindings found);
  /// Goes on to the next length. @return false if there is none
  bool next_length();
  MinedRules mined() const;

  void save(ByteWriter& out) const;
  /// @throws BadBytes
  void load(ByteReader& in);

 private:
  const Items& items_;
  const RuleLimits& limits_;
  RuleClasses classes_;
  std::uint32_t comparisons_ = 2;  ///< of the length at hand
  WalkFindings found_;
  MinedRules mined_;
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

/// Of a message or a checkpoint.
void put(ByteWriter& out, const std::vector<CountedRule>& rules);
/// @throws BadBytes if there are no such rules of these items
std::vector<CountedRule> get_rules(ByteReader& in, const Items& items);

}  // namespace atl
