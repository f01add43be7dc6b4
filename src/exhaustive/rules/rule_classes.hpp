// The rules of an exhaustive search, without those that say nothing new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "src/exhaustive/rules/item_rule.hpp"
#include "src/exhaustive/rules/judging_rules.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Collects rules length by length and keeps the best of what the filter of final rules would keep
/// of them all (src/results/choice/redundancy.hpp, remove_redundant): of rules whose two sides
/// cover the same rows the first in the rules' order stands for all; it is dropped if another one
/// that stands for its likes has the same consequent, a proper subset of its antecedent or wider
/// intervals, and at least its confidence and leverage; or if one of as many comparisons within its
/// intervals holds on as many rows of the consequent and on fewer others. Beyond that X => Y and
/// Y => X count as one.
///
/// The decisions on a rule depend only on rules of at least its leverage and its length at most: so
/// they are final once its length has been added, and nothing changes for the others if rules below
/// some leverage are not added. The k-th best only gets better with further lengths: so rules of
/// less leverage are forgotten.
class RuleClasses {
 public:
  /// @param top  that many of the best, and all that are as good as the last of them  @pre >= 1
  RuleClasses(const Items& items, std::size_t top) : items_(items), top_(top), keys_(items) {}

  /// @param rules  of one length, greater than before, in any order, each once
  void add(std::vector<CountedRule> rules);

  /// Those that stand for their likes: all that it has to know to go on.
  const std::vector<CountedRule>& standing() const noexcept { return standing_; }
  /// Goes on where another one was, instead of what it has.
  void take_up(std::vector<CountedRule> standing);

  /// scaled_leverage of the last of the best, 1 if there are fewer.
  std::int64_t threshold() const;

  /// Greatest leverage first, then in the rules' order.
  std::vector<RuleRecord> best() const;

 private:
  struct Sides {
    Hash128 first, second;  ///< coverage of one side and the other
    friend bool operator==(const Sides&, const Sides&) = default;
  };
  struct SidesHash {
    std::size_t operator()(const Sides& s) const noexcept { return s.first.low ^ s.second.high; }
  };
  struct Ranked {
    std::int64_t leverage;
    const CountedRule* counted;
  };
  struct Kept {
    std::int64_t leverage;
    CountedRule counted;
  };

  Sides sides(const CountedRule& counted) const noexcept {
    return {counted.coverage, items_.coverage(counted.rule.consequent)};
  }
  std::vector<Ranked> ranked(const std::vector<CountedRule>& rules) const;
  std::vector<const CountedRule*> not_superfluous(const std::vector<const CountedRule*>& equals,
                                                  NarrowRules& narrow);
  std::size_t kept_above(std::int64_t leverage) const;
  void take_in(std::vector<Kept> kept);

  const Items& items_;
  std::size_t top_;
  JudgingKeys keys_;
  GeneralRules general_{items_, keys_};         // but those that are superfluous as special ones
  std::vector<CountedRule> standing_;           // for their likes
  std::unordered_set<Sides, SidesHash> known_;  // of them
  std::vector<Kept> kept_;                      // the best first
  std::unordered_set<Sides, SidesHash> kept_sides_;
};

}  // namespace atl
