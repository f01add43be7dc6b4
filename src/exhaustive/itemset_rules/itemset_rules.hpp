// Association rules from frequent itemsets (Agrawal and Srikant 1994, section 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "src/data/transactions/itemset_sink.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/measures/measure.hpp"
#include "src/rules/itemset_rule.hpp"

namespace atl {

/// Keeps all sets that it gets from list_itemsets(), without a least length: 12 bytes a set.
class ItemsetTree final : public ItemsetSink {
 public:
  using Node = std::uint32_t;
  static constexpr std::uint64_t set_bytes = 3 * sizeof(std::uint32_t);
  static constexpr std::uint64_t most_sets = ~std::uint32_t{0} - std::uint64_t{1};
  static constexpr Node none = 0;  ///< the empty set, of which all others are below

  /// @param items  that there are
  /// @param sets   to come, at most most_sets, for which memory is taken
  ItemsetTree(std::uint32_t items, std::uint64_t sets);

  void add(std::uint32_t item) override;
  void remove() override;
  void found(std::uint32_t support) override;
  void found(const ItemsetBlock& block) override;

  /// Nodes are numbered from 1 in the order in which the sets came; a set is its parent's, with the
  /// node's item behind.
  Node nodes() const noexcept { return static_cast<Node>(item_.size() - 1); }
  std::uint32_t item(Node node) const noexcept { return item_[node]; }
  std::uint32_t support(Node node) const noexcept { return support_[node]; }
  /// The node behind all those whose sets begin with this one's.
  Node end_of(Node node) const noexcept { return end_[node]; }
  /// @param set  items as list_itemsets() adds them
  /// @return none if it is not there, or empty
  Node find(std::span<const std::uint32_t> set) const noexcept;

 private:
  Node child(Node parent, std::uint32_t item) const noexcept;
  void append(std::uint32_t item, std::uint32_t support);

  std::vector<std::uint32_t> item_{0}, support_{0};  // [nodes + 1]
  std::vector<Node> end_{1};                         // [nodes + 1]
  std::vector<Node> first_;                          // [items] node of each item alone
  std::vector<std::uint32_t> prefix_;                // items that were added
  std::vector<Node> path_;                           // of the last set, by its length
};

/// Keeps, of all rules that come, those with the greatest values of a measure; of equal ones those
/// that came first. Values that do not exist are the least.
class BestItemsetRules {
 public:
  /// @param most  rules that are kept
  BestItemsetRules(Measure by, std::size_t most) : by_(by), most_(most) {}

  void take(const ItemsetRule& rule);
  /// The best first. Nothing is kept afterwards.
  void hand_over(const std::function<void(const ItemsetRule&)>& use);

 private:
  struct Kept {
    double value;
    std::uint64_t number;  // as they came
    std::vector<std::uint32_t> antecedent, consequent;
    ContingencyTable table;
  };
  static bool is_better(const Kept& a, const Kept& b) noexcept;

  Measure by_;
  std::size_t most_;
  std::uint64_t came_ = 0;
  std::vector<Kept> kept_;  // a heap with the worst on top, once there are enough
};

struct ItemsetRuleLimits {
  double min_confidence = 0;         ///< 0 to 1
  std::uint32_t min_length = 2;      ///< items of both sides together
  std::uint32_t max_consequent = 1;  ///< items of the consequent
};

/// Calls `use` with each rule whose sides together are a set of the tree and whose confidence is
/// high enough. By set, in the tree's order; of a set by length of the consequent, then in
/// lexicographic order of the consequent's places in the set. Items of a side are in the set's
/// order.
/// @param transactions  from which the sets are
void for_each_rule(const ItemsetTree& sets, std::uint64_t transactions,
                   const ItemsetRuleLimits& limits,
                   const std::function<void(const ItemsetRule&)>& use);

/// Hands over rules likewise, but of the sets only closed ones of some lengths, in the order in
/// which the search finds them. A rule that is left out has the same antecedent, support and
/// confidence as one with a longer consequent, whose lift is no less.
/// @param sets  least support, and most items; lengths below are those of `limits`
void for_each_closed_rule(const TransactionSet& transactions, const ItemsetLimits& sets,
                          const ItemsetRuleLimits& limits,
                          const std::function<void(const ItemsetRule&)>& use);

}  // namespace atl
