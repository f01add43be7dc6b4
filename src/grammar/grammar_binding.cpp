#include "src/grammar/grammar_binding.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "src/core/error.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {
namespace {

using Definition = Grammar::Definition;
using Kind = Definition::Kind;

using Numbers = std::map<std::string_view, std::uint32_t>;

/// [attribute] whether the symbol names it.
std::vector<bool> named_attributes(const Definition& definition, const Definition::Symbol& symbol,
                                   std::span<const Attribute> attributes, const Numbers& numbers) {
  std::vector<bool> named(attributes.size());
  for (const Definition::AttributeName& name : symbol.names) {
    const auto found = numbers.find(name.name);
    if (found == numbers.end())
      throw BadCell(definition.source, name.place.line, name.place.column, name.name,
                    "the name of an attribute");
    if (!symbol.all_but && needs_order(symbol.relation) &&
        attributes[found->second].kind == AttributeKind::nominal)
      throw BadCell(definition.source, name.place.line, name.place.column, name.name,
                    "a numeric or ordinal attribute");
    named[found->second] = true;
  }
  return named;
}

std::vector<std::uint32_t> fitting_attributes(const Definition& definition,
                                              const Definition::Symbol& symbol,
                                              std::span<const Attribute> attributes,
                                              const Numbers& numbers) {
  const auto named = named_attributes(definition, symbol, attributes, numbers);
  std::vector<std::uint32_t> fitting;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    if (!symbol.names.empty() && named[a] == symbol.all_but) continue;
    if (attributes[a].distinct() < 2) continue;
    if (needs_order(symbol.relation) && !attributes[a].ordered()) continue;
    fitting.push_back(a);
  }
  return fitting;
}

Comparison literal_comparison(const Definition& definition, const Definition::Symbol& symbol,
                              std::span<const Attribute> attributes) {
  try {
    return parse_comparison(symbol.name, attributes, definition.source);
  } catch (const BadCell& error) {
    throw BadCell(definition.source, symbol.place.line, symbol.place.column, error.found,
                  error.expected);
  }
}

}  // namespace

std::vector<BoundSymbol> bind(const Definition& definition, std::span<const Attribute> attributes) {
  Numbers numbers;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) numbers.emplace(attributes[a].name, a);
  std::vector<BoundSymbol> bound;
  bound.reserve(definition.symbols.size());
  for (const Definition::Symbol& symbol : definition.symbols) {
    BoundSymbol& to = bound.emplace_back();
    to.name = symbol.name;
    to.kind = symbol.kind;
    to.productions = symbol.productions;
    to.relation = symbol.relation;
    if (symbol.kind == Kind::relation)
      to.attributes = fitting_attributes(definition, symbol, attributes, numbers);
    if (symbol.kind == Kind::literal)
      to.literal = literal_comparison(definition, symbol, attributes);
  }
  return bound;
}

std::uint32_t antecedent_children(const Definition::Production& production) noexcept {
  return static_cast<std::uint32_t>(
      std::count(production.antecedent.begin(), production.antecedent.end(), Op::comparison));
}

}  // namespace atl
