// Rules that may make another one superfluous, found by its attributes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "src/exhaustive/rules/item_rule.hpp"

namespace atl {

/// Keys by which rules find those that may judge them. Two items have one key if the rows of one
/// may contain those of the other: those of an attribute that has intervals. A label has its own.
class JudgingKeys {
 public:
  explicit JudgingKeys(const Items& items);

  std::uint64_t of_item(Item item) const noexcept { return of_item_[item]; }
  std::uint64_t of_consequent(Item item) const noexcept;
  /// The key of all items of a rule together.
  std::uint64_t of(const ItemRule& rule) const noexcept;
  /// Has its antecedent an item of an attribute that has intervals?
  bool has_intervals(const ItemRule& rule) const noexcept;

 private:
  std::vector<std::uint64_t> of_item_;
  std::vector<bool> of_intervals_;  // [item] of an attribute that has intervals
};

/// Rules that make a more special one superfluous which has no more confidence.
class GeneralRules {
 public:
  GeneralRules(const Items& items, const JudgingKeys& keys) : items_(items), keys_(keys) {}

  void add(const CountedRule& counted);
  /// @pre all that were added have at least the leverage of the rule
  bool make_superfluous(const CountedRule& counted) const;
  void clear() { rules_.clear(); }

 private:
  const Items& items_;
  const JudgingKeys& keys_;
  std::unordered_map<std::uint64_t, std::vector<CountedRule>> rules_;
};

/// Rules that make one of as many comparisons superfluous which is wider for nothing.
class NarrowRules {
 public:
  NarrowRules(const Items& items, const JudgingKeys& keys) : items_(items), keys_(keys) {}

  /// @param counted  outlives this
  void add(const CountedRule& counted);
  bool make_superfluous(const CountedRule& counted) const;

 private:
  std::uint64_t key(const CountedRule& counted) const noexcept;

  const Items& items_;
  const JudgingKeys& keys_;
  std::unordered_multimap<std::uint64_t, const CountedRule*> rules_;
};

}  // namespace atl
