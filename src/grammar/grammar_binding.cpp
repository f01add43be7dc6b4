#include "src/grammar/grammar_binding.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

#include "src/core/error.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Finds strongly connected components, those that others reach first (Tarjan 1972), without
/// recursion: grammars can be as deep as they are long.
class Components {
 public:
  explicit Components(const std::vector<std::vector<std::uint32_t>>& children)
      : children_(children),
        number_(children.size(), none),
        lowest_(children.size(), none),
        component_(children.size(), none) {
    for (std::uint32_t symbol = 0; symbol < children.size(); ++symbol) {
      if (number_[symbol] == none) walk(symbol);
    }
  }

  const std::vector<std::uint32_t>& of_symbols() const noexcept { return component_; }
  const std::vector<std::vector<std::uint32_t>>& members() const noexcept { return members_; }

 private:
  struct Step {
    std::uint32_t symbol;
    std::size_t next_child = 0;
  };

  void enter(std::uint32_t symbol) {
    number_[symbol] = lowest_[symbol] = entered_++;
    open_.push_back(symbol);
    path_.push_back({symbol});
  }

  void walk(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      const auto& children = children_[step.symbol];
      if (step.next_child < children.size()) {
        const std::uint32_t symbol = step.symbol;
        const std::uint32_t child = children[step.next_child++];
        if (number_[child] == none) {
          enter(child);
        } else if (component_[child] == none) {
          lowest_[symbol] = std::min(lowest_[symbol], number_[child]);
        }
        continue;
      }
      leave(step.symbol);
    }
  }

  void leave(std::uint32_t symbol) {
    path_.pop_back();
    if (!path_.empty()) {
      std::uint32_t& above = lowest_[path_.back().symbol];
      above = std::min(above, lowest_[symbol]);
    }
    if (lowest_[symbol] != number_[symbol]) return;
    auto& members = members_.emplace_back();
    do {
      members.push_back(open_.back());
      component_[open_.back()] = static_cast<std::uint32_t>(members_.size() - 1);
      open_.pop_back();
    } while (members.back() != symbol);
  }

  const std::vector<std::vector<std::uint32_t>>& children_;
  std::vector<std::uint32_t> number_, lowest_, component_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::uint32_t> open_;
  std::vector<Step> path_;
  std::uint32_t entered_ = 0;
};

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
    if (asks_presence(symbol.relation)) {
      if (attributes[a].has_missing && attributes[a].distinct() > 0) fitting.push_back(a);
      continue;
    }
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

GrammarReach::GrammarReach(const std::vector<std::vector<std::uint32_t>>& children) {
  const Components components(children);
  component_ = components.of_symbols();
  const std::size_t words = (children.size() + 63) / 64;
  for (const auto& members : components.members()) {
    auto& row = rows_.emplace_back(words, 0);
    std::vector<bool> added(rows_.size(), false);
    added.back() = true;
    for (const std::uint32_t member : members) {
      row[member / 64] |= std::uint64_t{1} << (member % 64);
      for (const std::uint32_t child : children[member]) {
        const std::uint32_t below = component_[child];
        if (added[below]) continue;
        added[below] = true;
        for (std::size_t w = 0; w < words; ++w) row[w] |= rows_[below][w];
      }
    }
  }
}

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
