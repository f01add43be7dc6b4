#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "src/grammar/grammar.hpp"
#include "src/grammar/grammar_tables.hpp"

namespace atl {
namespace {

constexpr std::size_t most_parts = 10;  // of a conjunction that is looked for

using Parts = std::uint32_t;  // a set of the comparisons of a side: a bit for each

/// Finds out whether a symbol derives a conjunction, in whatever order it joins the comparisons.
class ConjunctionParser {
 public:
  /// The arguments must outlive it.
  /// @param attributes  those with the codes of the side
  ConjunctionParser(const GrammarTables& tables, std::span<const Attribute> attributes,
                    const Expression& side)
      : tables_(tables), attributes_(attributes), side_(side.comparisons()) {}

  bool is_possible() const { return !side_.empty() && side_.size() <= most_parts; }

  /// Do these symbols together derive the whole side?
  bool derives(std::span<const std::uint32_t> symbols) {
    return derives(symbols, (Parts{1} << side_.size()) - 1);
  }

 private:
  bool derives(std::span<const std::uint32_t> symbols, Parts parts) {
    if (symbols.size() == 1) return derives(symbols[0], parts);
    if (static_cast<std::size_t>(std::popcount(parts)) < symbols.size()) return false;
    for (Parts own = parts & (parts - 1); own != 0; own = (own - 1) & parts) {
      if (derives(symbols[0], own) && derives(symbols.subspan(1), parts & ~own)) return true;
    }
    return false;
  }

  bool derives(std::uint32_t symbol, Parts parts) {
    const auto known = known_.find({symbol, parts});
    if (known != known_.end()) return known->second;
    const bool made = derive(symbol, parts);
    known_.emplace(std::pair(symbol, parts), made);
    return made;
  }

  /// Looks at the symbol, and at those that it can become with nothing added.
  bool derive(std::uint32_t symbol, Parts parts) {
    std::vector<std::uint32_t> open = {symbol};
    std::set<std::uint32_t> seen = {symbol};
    while (!open.empty()) {
      const auto& at = tables_.symbols[open.back()];
      open.pop_back();
      if (at.kind != GrammarTables::Kind::productions) {
        if (std::popcount(parts) == 1 &&
            is_of(at, side_[static_cast<std::size_t>(std::countr_zero(parts))]))
          return true;
        continue;
      }
      for (const auto& production : at.productions) {
        if (!production.joins) continue;
        if (production.children.size() > 1 && derives(production.children, parts)) return true;
        if (production.children.size() == 1 && seen.insert(production.children[0]).second)
          open.push_back(production.children[0]);
      }
    }
    return false;
  }

  bool is_of(const GrammarTables::Symbol& leaf, const Comparison& comparison) const {
    const Attribute& its = attributes_[comparison.attribute];
    if (leaf.kind == GrammarTables::Kind::literal) return says(comparison, leaf.literal);
    const auto fitting = leaf.attributes.alternatives();
    if (!std::binary_search(fitting.begin(), fitting.end(), comparison.attribute)) return false;
    if (leaf.relation == BoundRelation::missing) return asks_missing(comparison);
    if (leaf.relation == BoundRelation::known) return asks_known(comparison, its.distinct());
    if (const auto one = tables_.only(leaf, comparison.attribute)) return comparison == *one;
    return takes_codes(leaf.relation, comparison, its.distinct());
  }

  /// Is it the comparison of the grammar's text, which has codes of its own?
  bool says(const Comparison& comparison, const Comparison& of_text) const {
    if (comparison.attribute != of_text.attribute || comparison.negated != of_text.negated ||
        asks_missing(comparison) != asks_missing(of_text))
      return false;
    const Attribute& its = attributes_[comparison.attribute];
    const Attribute& own = tables_.attributes[comparison.attribute];
    if (!has_numbers(its.kind) || asks_missing(comparison)) return comparison == of_text;
    return its.low[comparison.low] == own.low[of_text.low] &&
           its.high[comparison.high] == own.high[of_text.high];
  }

  const GrammarTables& tables_;
  std::span<const Attribute> attributes_;
  std::span<const Comparison> side_;
  std::map<std::pair<std::uint32_t, Parts>, bool> known_;
};

/// Are both sides made in one way?
bool is_symmetric(const GrammarTables::Production& production) {
  const auto children = std::span(production.children);
  const auto antecedent = children.first(production.antecedent_children);
  const auto consequent = children.subspan(production.antecedent_children);
  return production.antecedent == production.consequent &&
         std::equal(antecedent.begin(), antecedent.end(), consequent.begin(), consequent.end());
}

}  // namespace

bool BoundGrammar::derives_reversal(const Rule& rule, std::span<const Attribute> attributes) const {
  const auto& start = tables_->symbols[0].productions;
  if (std::all_of(start.begin(), start.end(), is_symmetric)) return true;
  if (!rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) return false;
  ConjunctionParser antecedent(*tables_, attributes, rule.consequent);
  ConjunctionParser consequent(*tables_, attributes, rule.antecedent);
  if (!antecedent.is_possible() || !consequent.is_possible()) return false;
  return std::any_of(start.begin(), start.end(), [&](const GrammarTables::Production& production) {
    const auto children = std::span(production.children);
    return production.joins && antecedent.derives(children.first(production.antecedent_children)) &&
           consequent.derives(children.subspan(production.antecedent_children));
  });
}

}  // namespace atl
