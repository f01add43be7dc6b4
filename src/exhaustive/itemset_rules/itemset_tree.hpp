// Frequent itemsets with their supports, to be looked up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/transactions/itemset_sink.hpp"

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

}  // namespace atl
