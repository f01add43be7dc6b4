#include "src/grammar/missing_comparisons.hpp"

#include <algorithm>
#include <numeric>

namespace atl {
namespace {

using Kind = Grammar::Definition::Kind;

/// Are at least 0.5% of the values missing, and at least 0.5% known?
bool both_matter(const Attribute& attribute) {
  constexpr std::uint64_t parts = 200;
  const std::uint64_t known =
      std::accumulate(attribute.counts.begin(), attribute.counts.end(), std::uint64_t{0});
  const std::uint64_t rows = known + attribute.missing;
  return attribute.missing * parts >= rows && known * parts >= rows;
}

bool is_builtin(const std::string& grammar) {
  return grammar == Grammar::builtin("association") ||
         grammar == Grammar::builtin("association-full");
}

/// Has the symbol a production that is but a comparison bound to the data?
bool derives_comparisons(const BoundSymbol& symbol, std::span<const BoundSymbol> all) {
  return std::any_of(symbol.productions.begin(), symbol.productions.end(), [&](const auto& p) {
    return p.children.size() == 1 && all[p.children[0]].kind == Kind::relation;
  });
}

}  // namespace

std::vector<std::uint32_t> attributes_that_may_miss(const Experiment& experiment,
                                                    std::span<const Attribute> attributes) {
  std::vector<std::uint32_t> found;
  if (!experiment.missing_comparisons.value_or(true) || !is_builtin(experiment.grammar))
    return found;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    if (!attributes[a].has_missing || attributes[a].distinct() == 0) continue;
    if (experiment.missing_comparisons || both_matter(attributes[a])) found.push_back(a);
  }
  return found;
}

std::vector<BoundSymbol> with_missing(std::vector<BoundSymbol> symbols,
                                      std::span<const std::uint32_t> attributes) {
  if (attributes.empty()) return symbols;
  // Symbol s of an antecedent is s + shift.
  const auto shift = static_cast<std::uint32_t>(symbols.size()) - 1;
  for (auto& production : symbols[0].productions) {
    const std::uint32_t of_antecedent = antecedent_children(production);
    for (std::uint32_t i = 0; i < of_antecedent; ++i) production.children[i] += shift;
  }
  for (std::uint32_t s = 1; s <= shift; ++s) {
    BoundSymbol copy = symbols[s];
    copy.group = 1;
    for (auto& production : copy.productions) {
      for (std::uint32_t& child : production.children) child += shift;
    }
    symbols.push_back(std::move(copy));
  }
  const auto end = static_cast<std::uint32_t>(symbols.size());
  for (const BoundRelation relation : {BoundRelation::missing, BoundRelation::known}) {
    BoundSymbol leaf;
    leaf.name = relation == BoundRelation::missing ? "missing" : "known";
    leaf.kind = Kind::relation;
    leaf.relation = relation;
    leaf.attributes.assign(attributes.begin(), attributes.end());
    leaf.group = 1;
    symbols.push_back(std::move(leaf));
  }
  for (std::uint32_t s = shift + 1; s < end; ++s) {
    if (!derives_comparisons(symbols[s], symbols)) continue;
    for (std::uint32_t leaf = end; leaf < symbols.size(); ++leaf)
      symbols[s].productions.push_back({{leaf}, {Op::comparison}, {}});
  }
  return symbols;
}

}  // namespace atl
