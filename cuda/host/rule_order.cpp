#include "cuda/host/rule_order.hpp"

#include <algorithm>

namespace atl::cuda {
namespace {

// Orders by attribute, then by bounds. Bits that are lost make an order worse, not wrong.
std::uint64_t key(const Expression& side) noexcept {
  const auto comparisons = side.comparisons();
  if (comparisons.empty()) return 0;
  const Comparison& first = comparisons.front();
  return std::uint64_t{first.attribute & 0xFFFFU} << 16 |
         (((first.low & 0xFFU) << 8 | (first.high & 0xFFU)) ^ (first.negated ? 0xFFFFU : 0U));
}

}  // namespace

void RuleOrder::by_comparisons(std::span<const Rule> rules) {
  entries_.clear();
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    entries_.push_back({key(rules[r].consequent) << 32 | key(rules[r].antecedent), r});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  });
  indices_.clear();
  for (const Entry& entry : entries_) indices_.push_back(entry.index);
}

}  // namespace atl::cuda
