// The rules of an exhaustive search, without those that say nothing new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "src/exhaustive/rules/item_rule.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Collects rules length by length and keeps what the filter of final rules would keep of them all
/// (src/results/choice/redundancy.hpp, remove_redundant): of rules whose two sides cover the same
/// rows the first in the rules' order stands for all; it is dropped if another one that stands for
/// its likes has the same consequent, a proper subset of its antecedent or wider intervals, and at
/// least its confidence and leverage; or if one of as many comparisons within its intervals holds
/// on as many rows of the consequent and on fewer others. Beyond that X => Y and Y => X count as
/// one.
///
/// The decisions on a rule depend only on rules of at least its leverage and its length at most: so
/// they are final once its length has been added, and nothing changes for the others if rules below
/// some leverage are not added.
class RuleClasses {
 public:
  explicit RuleClasses(const Items& items) : items_(items) {}

  /// @param rules  of one length, greater than before, in any order, each once; leverage above 0
  void add(std::vector<CountedRule> rules);

  /// Those that stand for their likes: all that it has to know to go on.
  const std::vector<CountedRule>& standing() const noexcept { return standing_; }
  /// Goes on where another one was, instead of what it has.
  void take_up(std::vector<CountedRule> standing);

  /// scaled_leverage of the k-th best of those kept, 1 if there are fewer. @pre k >= 1
  std::int64_t threshold(std::size_t k) const;

  /// The k best of those kept, and all that are as good as the k-th: greatest leverage first, then
  /// in the rules' order.
  std::vector<RuleRecord> best(std::size_t k) const;

 private:
  struct Sides {
    Hash128 first, second;  ///< coverage of one side and the other
    friend bool operator==(const Sides&, const Sides&) = default;
  };
  struct SidesHash {
    std::size_t operator()(const Sides& s) const noexcept { return s.first.low ^ s.second.high; }
  };

  Sides sides(const CountedRule& counted) const noexcept {
    return {counted.coverage, items_.coverage(counted.rule.consequent)};
  }
  std::vector<CountedRule> kept(std::size_t k) const;
  bool generalises(const ItemRule& general, const ItemRule& special) const noexcept;
  bool makes_superfluous(const CountedRule& other, const CountedRule& rule) const noexcept;

  const Items& items_;
  std::unordered_set<Sides, SidesHash> known_;  ///< antecedent, consequent of all added
  std::vector<CountedRule> standing_;           ///< for their likes
};

}  // namespace atl
