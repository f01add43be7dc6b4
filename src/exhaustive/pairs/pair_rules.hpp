// Rules that conclude an item from another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/exhaustive/itemset_rules/itemset_rule_search.hpp"
#include "src/exhaustive/pairs/pair_rows.hpp"
#include "src/rules/itemset_rule.hpp"

namespace atl {

/// A rule of two items, by rank.
struct PairRule {
  std::uint32_t row, column;  ///< row > column
  std::uint32_t support;      ///< of both
  bool concludes_row;         ///< IF column THEN row, which comes first
};

/// Knows how items and rules of pairs go together. The rows must outlive it.
class PairRules {
 public:
  /// @param transactions  all that there are
  PairRules(const PairRows& rows, std::uint64_t transactions, const ItemsetRuleChoice& choice)
      : rows_(rows), transactions_(transactions), choice_(choice) {}

  /// Calls use(rule) with the rules of a pair that are confident enough, in their order.
  template <typename Use>
  void for_each(std::uint32_t row, std::uint32_t column, std::uint32_t support,
                const Use& use) const {
    for (const bool concludes_row : {true, false}) {
      const PairRule rule{row, column, support, concludes_row};
      if (is_confident(rule)) use(rule);
    }
  }
  bool is_confident(const PairRule& rule) const noexcept;
  ContingencyTable table(const PairRule& rule) const noexcept;
  /// Calls use() with the rule in terms of items.
  void tell(const PairRule& rule, const std::function<void(const ItemsetRule&)>& use) const;
  /// Could a search find it? For what was read.
  bool is_possible(const PairRule& rule) const noexcept;
  const ItemsetRuleChoice& choice() const noexcept { return choice_; }

 private:
  const PairRows& rows_;
  std::uint64_t transactions_;
  const ItemsetRuleChoice& choice_;
};

/// Keeps those of the rules that come which have the greatest values of the measure that is asked
/// for; of equal ones those that come first in the order of all rules. What it keeps depends
/// neither on the order in which they come nor on how they are shared out before they are merged.
class BestPairRules {
 public:
  /// @param rules  which sort; must outlive it
  explicit BestPairRules(const PairRules& rules) : rules_(rules) {}

  void take(const PairRule& rule);
  void merge(const BestPairRules& other);
  /// The best first.
  std::vector<PairRule> sorted() const;
  void put(ByteWriter& out) const;
  /// Takes those that were put. @throws BadBytes
  void get(ByteReader& in);

 private:
  struct Kept {
    double value;
    PairRule rule;
  };
  static bool is_better(const Kept& a, const Kept& b) noexcept;
  void keep(const Kept& kept);

  const PairRules& rules_;
  std::vector<Kept> kept_;  // a heap with the worst on top, once there are enough
};

}  // namespace atl
