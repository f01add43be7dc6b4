#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "src/measures/measure.hpp"
#include "src/rules/itemset_rule.hpp"

namespace atl {

/// Of all rules that come, keeps those with the greatest values of a measure; of equal ones those
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

}  // namespace atl
