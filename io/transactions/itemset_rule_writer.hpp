#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/measures/measure.hpp"
#include "src/rules/itemset_rule.hpp"

namespace atl::io {

/// Writes rules as CSV: antecedent, consequent, items, n, n_antecedent, n_consequent, n_both, and
/// measures. The items of a side are joined by AND, as those of rules.csv are.
class ItemsetRuleWriter final : public ItemsetRuleText {
 public:
  /// @param names  [items]; must outlive it
  /// @param write  takes the text, in pieces
  /// @param part   of the list: the first one has the line of the fields' names
  ItemsetRuleWriter(const std::vector<std::string>& names, std::vector<Measure> measures,
                    std::function<void(std::string_view)> write,
                    ItemsetRulePart part = ItemsetRulePart::first);

  void write(const ItemsetRule& rule) override;
  std::uint64_t finish() override;

 private:
  std::string side(std::span<const std::uint32_t> items) const;

  const std::vector<std::string>& names_;
  std::vector<Measure> measures_;
  std::function<void(std::string_view)> write_;
  std::vector<std::string> fields_;
  std::string text_;
  std::uint64_t rules_ = 0;
};

}  // namespace atl::io
