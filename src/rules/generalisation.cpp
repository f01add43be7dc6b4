#include "src/rules/generalisation.hpp"

#include <algorithm>
#include <optional>

#include "src/measures/measures.hpp"
#include "src/measures/significance.hpp"

namespace atl {
namespace {

/// Cuts an expression into the operands of its outermost AND.
class Conjuncts {
 public:
  explicit Conjuncts(const Expression& expression)
      : program_(expression.program()), comparisons_(expression.comparisons()) {
    std::vector<std::size_t> stack;
    std::size_t comparisons = 0;
    for (std::size_t i = 0; i < program_.size(); ++i) {
      comparisons_before_.push_back(comparisons);
      if (program_[i] == Op::comparison) {
        ++comparisons;
        stack.push_back(i);
      } else if (program_[i] != Op::negation) {
        stack.pop_back();  // the operation begins where its left operand does
      }
      begins_.push_back(stack.back());
    }
    comparisons_before_.push_back(comparisons);
    cut(program_.size() - 1);
  }

  std::vector<Expression> found;  // left to right

 private:
  void cut(std::size_t last) {
    if (program_[last] == Op::conjunction) {
      cut(begins_[last - 1] - 1);
      cut(last - 1);
      return;
    }
    const std::size_t first = begins_[last];
    const auto ops = program_.subspan(first, last + 1 - first);
    const auto operands = comparisons_.subspan(
        comparisons_before_[first], comparisons_before_[last + 1] - comparisons_before_[first]);
    found.emplace_back(std::vector<Op>(ops.begin(), ops.end()),
                       std::vector<Comparison>(operands.begin(), operands.end()));
  }

  std::span<const Op> program_;
  std::span<const Comparison> comparisons_;
  std::vector<std::size_t> begins_;              // [program] first element of what ends there
  std::vector<std::size_t> comparisons_before_;  // [program + 1]
};

/// @param known  that it has two bounds, whatever the codes are
bool has_two_bounds(const Comparison& c, const Attribute& attribute, bool known) {
  if (c.negated || !attribute.ordered() || c.high >= attribute.distinct()) return false;
  return known || (c.low > 0 && c.high + 1 < attribute.distinct());
}

std::vector<Expression> parts_of(const Expression& antecedent,
                                 std::span<const Attribute> attributes,
                                 std::span<const std::uint8_t> intervals) {
  std::vector<Expression> parts;
  std::size_t at = 0;  // among the comparisons
  for (Expression& conjunct : Conjuncts(antecedent).found) {
    const Comparison c = conjunct.comparisons().front();
    const std::uint32_t last = attributes[c.attribute].distinct() - 1;
    const bool known = !intervals.empty() && intervals[at] != 0;
    const bool two_bounds =
        conjunct.program().size() == 1 && has_two_bounds(c, attributes[c.attribute], known);
    at += conjunct.comparisons().size();
    if (!two_bounds) {
      parts.push_back(std::move(conjunct));
      continue;
    }
    parts.push_back(Expression::of({c.attribute, c.low, last, false}));
    parts.push_back(Expression::of({c.attribute, 0, c.high, false}));
  }
  return parts;
}

/// The conjunction of the parts for which `keeps` is true; empty if there is none.
template <typename Keeps>
Expression conjunction_of(std::span<const Expression> parts, const Keeps& keeps) {
  Expression joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (keeps(i)) joined = joined.empty() ? parts[i] : both(joined, parts[i]);
  }
  return joined;
}

}  // namespace

std::vector<Expression> proper_generalisations(const Expression& antecedent,
                                               std::span<const Attribute> attributes,
                                               std::span<const std::uint8_t> intervals) {
  const std::vector<Expression> parts = parts_of(antecedent, attributes, intervals);
  std::vector<Expression> general;
  if (parts.size() > most_generalised_parts) {
    general.emplace_back();
    for (std::size_t dropped = 0; dropped < parts.size(); ++dropped) {
      general.push_back(conjunction_of(parts, [&](std::size_t i) { return i != dropped; }));
    }
    return general;
  }
  const std::uint32_t all = (std::uint32_t{1} << parts.size()) - 1;
  for (std::uint32_t kept = 0; kept < all; ++kept) {
    general.push_back(conjunction_of(parts, [&](std::size_t i) { return (kept >> i & 1) != 0; }));
  }
  return general;
}

double log_productive_p(const ContingencyTable& special, const ContingencyTable& general) noexcept {
  if (special.target.side != TargetMoments::Side::none)
    return log_productive_mean_p(special, general);
  return log_fisher_p({general.n_antecedent, special.n_antecedent, general.n_both, special.n_both});
}

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
    if (!attribute.ordered() || c.negated || (from_first && to_last) || asks_missing(c)) {
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
