#include "src/rules/generalisation.hpp"

#include <algorithm>
#include <optional>

#include "src/measures/measures.hpp"

namespace atl {

Generalisation::Generalisation(std::span<const Attribute> attributes)
    : attributes_(attributes), rows_below_(attributes.size()) {
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    if (!attributes[a].ordered()) continue;
    const std::uint32_t distinct = attributes[a].distinct();
    auto& rows = rows_below_[a];
    rows.assign(std::size_t{distinct} + 1, 0);
    const bool counted = attributes[a].counts.size() == distinct;
    for (std::uint32_t code = 0; code < distinct; ++code) {
      rows[code + 1] = rows[code] + (counted ? attributes[a].counts[code] : 1);
    }
  }
}

bool Generalisation::move_low(Comparison& comparison) const {
  const auto& below = rows_below_[comparison.attribute];
  const std::uint64_t from = below[comparison.low];
  const std::uint64_t rows = below[std::size_t{comparison.high} + 1] - from;
  const std::uint64_t to = from - std::min(from, std::max<std::uint64_t>(rows, 1));
  const auto low = std::lower_bound(below.begin(), below.end(), to) - below.begin();
  comparison.low = std::min(comparison.low - 1, static_cast<std::uint32_t>(low));
  return takes_less_than_all(comparison);
}

bool Generalisation::move_high(Comparison& comparison) const {
  const auto& below = rows_below_[comparison.attribute];
  const std::uint64_t from = below[std::size_t{comparison.high} + 1];
  const std::uint64_t rows = from - below[comparison.low];
  const std::uint64_t to = std::min(below.back(), from + std::max<std::uint64_t>(rows, 1));
  const auto next = std::upper_bound(below.begin(), below.end(), to) - below.begin();
  comparison.high = std::max(comparison.high + 1, static_cast<std::uint32_t>(next) - 2);
  return takes_less_than_all(comparison);
}

bool Generalisation::takes_less_than_all(const Comparison& comparison) const {
  return comparison.low > 0 || comparison.high + 1 < attributes_[comparison.attribute].distinct();
}

void Generalisation::generalise(const Rule& rule, std::vector<Rule>& out) const {
  if (!rule.antecedent.is_conjunction()) {
    out.push_back({Expression(), rule.consequent});
    return;
  }
  const auto comparisons = rule.antecedent.comparisons();
  Comparisons wider;
  // Adds the rule without the comparison, or with one that takes more.
  const auto add = [&](std::size_t i, const std::optional<Comparison>& instead) {
    wider.assign(comparisons);
    wider.replace(i, 1, instead ? std::span(&*instead, 1) : std::span<const Comparison>());
    Rule& general = out.emplace_back();
    if (!wider.empty()) general.antecedent = Expression::conjunction(wider);
    general.consequent = rule.consequent;
  };
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const Comparison& c = comparisons[i];
    const Attribute& attribute = attributes_[c.attribute];
    const bool from_first = c.low == 0;
    const bool to_last = c.high + 1 >= attribute.distinct();
    if (!attribute.ordered() || c.negated || (from_first && to_last)) {
      add(i, std::nullopt);
      continue;
    }
    Comparison moved = c;
    if (!from_first) add(i, move_low(moved) ? std::optional(moved) : std::nullopt);
    moved = c;
    if (!to_last) add(i, move_high(moved) ? std::optional(moved) : std::nullopt);
  }
}

void note_nearest(ContingencyTable& table,
                  std::span<const RuleStatistics> generalisations) noexcept {
  table.n_general_antecedent = 0;
  table.n_general_both = 0;
  ContingencyTable with = table;
  double least = 0;
  for (const RuleStatistics& counts : generalisations) {
    with.n_general_antecedent = counts.table.n_antecedent;
    with.n_general_both = counts.table.n_both;
    const double contrast = evaluate(Measure::contrast, with);
    if (table.n_general_antecedent != 0 && !(contrast < least)) continue;
    least = contrast;
    table.n_general_antecedent = with.n_general_antecedent;
    table.n_general_both = with.n_general_both;
  }
}

}  // namespace atl
