#include "src/exhaustive/pairs/pair_rules.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "src/measures/measures.hpp"

namespace atl {

bool PairRules::is_confident(const PairRule& rule) const noexcept {
  const ContingencyTable counts = table(rule);
  const double confidence =
      static_cast<double>(counts.n_both) / static_cast<double>(counts.n_antecedent);
  return confidence >= choice_.limits.min_confidence;
}

ContingencyTable PairRules::table(const PairRule& rule) const noexcept {
  ContingencyTable table;
  table.n = transactions_;
  table.n_antecedent = rows_.supports[rule.concludes_row ? rule.column : rule.row];
  table.n_consequent = rows_.supports[rule.concludes_row ? rule.row : rule.column];
  table.n_both = rule.support;
  return table;
}

void PairRules::tell(const PairRule& rule,
                     const std::function<void(const ItemsetRule&)>& use) const {
  const std::array<std::uint32_t, 1> row{rows_.names[rule.row]};
  const std::array<std::uint32_t, 1> column{rows_.names[rule.column]};
  if (rule.concludes_row) {
    use({column, row, table(rule)});
  } else {
    use({row, column, table(rule)});
  }
}

bool PairRules::is_possible(const PairRule& rule) const noexcept {
  return rule.row < rows_.items() && rule.column < rule.row && rule.support > 0 &&
         rule.support <= rows_.supports[rule.row];
}

bool BestPairRules::is_better(const Kept& a, const Kept& b) noexcept {
  const auto order = by_measure(a.value, b.value);
  if (order != 0) return order < 0;
  const auto place = [](const PairRule& rule) {
    return std::tuple(rule.row, rule.column, !rule.concludes_row);
  };
  return place(a.rule) < place(b.rule);
}

void BestPairRules::keep(const Kept& kept) {
  const bool full = kept_.size() >= rules_.choice().top;
  if (full && !is_better(kept, kept_.front())) return;
  if (full) {
    std::pop_heap(kept_.begin(), kept_.end(), is_better);
    kept_.pop_back();
  }
  kept_.push_back(kept);
  std::push_heap(kept_.begin(), kept_.end(), is_better);
}

void BestPairRules::take(const PairRule& rule) {
  keep({evaluate(*rules_.choice().sort, rules_.table(rule)), rule});
}

void BestPairRules::merge(const BestPairRules& other) {
  for (const Kept& kept : other.kept_) keep(kept);
}

std::vector<PairRule> BestPairRules::sorted() const {
  std::vector<Kept> kept = kept_;
  std::ranges::sort(kept, is_better);
  std::vector<PairRule> rules;
  rules.reserve(kept.size());
  for (const Kept& one : kept) rules.push_back(one.rule);
  return rules;
}

void BestPairRules::put(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(kept_.size()));
  for (const PairRule& rule : sorted()) {
    out.put(rule.row);
    out.put(rule.column);
    out.put(rule.support);
    out.put(static_cast<std::uint8_t>(rule.concludes_row));
  }
}

void BestPairRules::get(ByteReader& in) {
  const auto number = in.get<std::uint64_t>();
  for (std::uint64_t k = 0; k < number; ++k) {
    PairRule rule{};
    rule.row = in.get<std::uint32_t>();
    rule.column = in.get<std::uint32_t>();
    rule.support = in.get<std::uint32_t>();
    const auto side = in.get<std::uint8_t>();
    rule.concludes_row = side != 0;
    require_bytes(side <= 1 && rules_.is_possible(rule), "a rule has items that there are not");
    take(rule);
  }
}

}  // namespace atl
