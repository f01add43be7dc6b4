#include "io/transactions/itemset_rule_writer.hpp"

#include <utility>

#include "io/results/csv_line.hpp"
#include "src/core/text/number.hpp"
#include "src/measures/measures.hpp"

namespace atl::io {
namespace {

constexpr std::size_t rule_text_piece = std::size_t{1} << 18;

}  // namespace

ItemsetRuleWriter::ItemsetRuleWriter(const std::vector<std::string>& names,
                                     std::vector<Measure> measures,
                                     std::function<void(std::string_view)> write,
                                     ItemsetRulePart part)
    : names_(names), measures_(std::move(measures)), write_(std::move(write)) {
  if (part == ItemsetRulePart::later) return;
  fields_ = {"antecedent", "consequent", "items", "n", "n_antecedent", "n_consequent", "n_both"};
  for (const Measure measure : measures_) fields_.emplace_back(info(measure).name);
  append_csv_line(text_, fields_);
}

std::string ItemsetRuleWriter::side(std::span<const std::uint32_t> items) const {
  std::string text;
  for (const std::uint32_t item : items) {
    if (!text.empty()) text += " AND ";
    text += names_[item];
  }
  return text;
}

void ItemsetRuleWriter::write(const ItemsetRule& rule) {
  fields_.clear();
  fields_.push_back(side(rule.antecedent));
  fields_.push_back(side(rule.consequent));
  const ContingencyTable& table = rule.table;
  for (const std::uint64_t count :
       {std::uint64_t{rule.antecedent.size() + rule.consequent.size()}, table.n, table.n_antecedent,
        table.n_consequent, table.n_both}) {
    fields_.push_back(std::to_string(count));
  }
  for (const Measure measure : measures_) {
    fields_.push_back(format_number(evaluate(measure, table)));
  }
  append_csv_line(text_, fields_);
  ++rules_;
  if (text_.size() < rule_text_piece) return;
  write_(text_);
  text_.clear();
}

std::uint64_t ItemsetRuleWriter::finish() {
  write_(text_);
  text_.clear();
  return std::exchange(rules_, 0);
}

}  // namespace atl::io
