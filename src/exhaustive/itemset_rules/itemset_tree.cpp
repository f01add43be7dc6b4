#include "src/exhaustive/itemset_rules/itemset_tree.hpp"

#include <cassert>

namespace atl {

ItemsetTree::ItemsetTree(std::uint32_t items, std::uint64_t sets) : first_(items, none) {
  item_.reserve(sets + 1);
  support_.reserve(sets + 1);
  end_.reserve(sets + 1);
}

void ItemsetTree::add(std::uint32_t item) {
  prefix_.push_back(item);
}

void ItemsetTree::remove() {
  prefix_.pop_back();
  if (path_.size() > prefix_.size()) path_.resize(prefix_.size());
}

void ItemsetTree::found(std::uint32_t support) {
  path_.resize(prefix_.size() - 1);
  append(prefix_.back(), support);
}

void ItemsetTree::found(const ItemsetBlock& block) {
  const std::size_t length = prefix_.size();
  std::uint32_t before = 0;  // the block's last set
  for (std::uint32_t m = 1; m < 1U << block.items.size(); ++m) {
    if ((block.frequent[m / 64] >> m % 64 & 1) == 0) continue;
    // Its parent lacks its lowest bit. Of the path to the last set what both have in common stays.
    const std::uint32_t parent = m & (m - 1);
    while ((before & ~parent) != 0) {
      before &= before - 1;
      path_.pop_back();
    }
    assert(before == parent && path_.size() >= length);
    append(block.items[static_cast<std::size_t>(__builtin_ctz(m))], block.supports[m]);
    before = m;
  }
  path_.resize(length);
}

void ItemsetTree::append(std::uint32_t item, std::uint32_t support) {
  assert(item_.size() <= most_sets);
  const auto node = static_cast<Node>(item_.size());
  item_.push_back(item);
  support_.push_back(support);
  end_.push_back(node + 1);
  if (path_.empty()) first_[item] = node;
  for (const Node above : path_) end_[above] = node + 1;
  path_.push_back(node);
}

ItemsetTree::Node ItemsetTree::child(Node parent, std::uint32_t item) const noexcept {
  for (Node at = parent + 1; at < end_[parent]; at = end_[at]) {
    if (item_[at] == item) return at;
  }
  return none;
}

ItemsetTree::Node ItemsetTree::find(std::span<const std::uint32_t> set) const noexcept {
  Node at = none;
  for (const std::uint32_t item : set) {
    at = at == none ? first_[item] : child(at, item);
    if (at == none) return none;
  }
  return at;
}

}  // namespace atl
