#include "src/rules/grammar_tables.hpp"

#include <algorithm>
#include <limits>

#include "src/core/error.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {
namespace {

using Definition = Grammar::Definition;
using Kind = Definition::Kind;

/// More than any derivation of a sound grammar; keeps NOT NOT NOT ... and recursion in bounds.
std::size_t node_limit(std::size_t symbols, std::uint32_t max_comparisons) {
  return std::min<std::size_t>(16384, 2 * symbols * max_comparisons);
}

std::vector<std::uint32_t> named_attributes(const Definition& definition,
                                            const Definition::Symbol& symbol,
                                            std::span<const Attribute> attributes) {
  std::vector<std::uint32_t> named;
  for (const Definition::AttributeName& name : symbol.names) {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute& a) { return a.name == name.name; });
    if (found == attributes.end())
      throw BadCell(definition.source, name.place.line, name.place.column, name.name,
                    "the name of an attribute");
    if (!symbol.all_but && needs_order(symbol.relation) && !found->ordered())
      throw BadCell(definition.source, name.place.line, name.place.column, name.name,
                    "a numeric or ordinal attribute");
    named.push_back(static_cast<std::uint32_t>(found - attributes.begin()));
  }
  return named;
}

/// Ascending. Constant attributes are never among them.
std::vector<std::uint32_t> fitting_attributes(const Definition& definition,
                                              const Definition::Symbol& symbol,
                                              std::span<const Attribute> attributes) {
  const auto named = named_attributes(definition, symbol, attributes);
  std::vector<std::uint32_t> fitting;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const bool is_named = std::find(named.begin(), named.end(), a) != named.end();
    if (!named.empty() && is_named == symbol.all_but) continue;
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

SizeSet sum_of(const SizeSet& a, const SizeSet& b) {
  SizeSet sums(a.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != 0)
      for (std::size_t j = 0; i + j < a.size(); ++j)
        if (b[j] != 0) sums[i + j] = 1;
  return sums;
}

}  // namespace

void WeightedChoice::add(std::uint32_t alternative, std::uint64_t weight) {
  alternatives_.push_back(alternative);
  weight_up_to_.push_back((weight_up_to_.empty() ? 0 : weight_up_to_.back()) + weight);
}

std::uint32_t WeightedChoice::draw(RandomStream& stream) const {
  if (alternatives_.size() == 1) return alternatives_[0];
  const std::uint64_t at = stream.below(weight_up_to_.back());
  const auto found = std::upper_bound(weight_up_to_.begin(), weight_up_to_.end(), at);
  return alternatives_[static_cast<std::size_t>(found - weight_up_to_.begin())];
}

GrammarTables::GrammarTables(const Grammar& grammar, std::span<const Attribute> all,
                             std::uint32_t max)
    : attributes(all),
      max_comparisons(max),
      max_nodes(node_limit(grammar.definition().symbols.size(), max)),
      source(grammar.definition().source),
      codes(all) {
  const Definition& definition = grammar.definition();
  bind(definition);
  find_reaches();
  weigh(definition);
  find_sizes();
  explain_if_empty(definition);
  find_choices();
}

void GrammarTables::bind(const Definition& definition) {
  for (const Definition::Symbol& from : definition.symbols) {
    Symbol to;
    to.kind = from.kind;
    to.relation = from.relation;
    if (from.kind == Kind::literal) to.literal = literal_comparison(definition, from, attributes);
    for (const Definition::Production& production : from.productions) {
      Production bound;
      static_cast<Definition::Production&>(bound) = production;
      bound.antecedent_children = static_cast<std::uint32_t>(
          std::count(bound.antecedent.begin(), bound.antecedent.end(), Op::comparison));
      to.productions.push_back(std::move(bound));
    }
    symbols.push_back(std::move(to));
  }
}

/// Attributes are drawn alike by the grammar as a whole: one that suits several relations has that
/// much less weight in each. Productions of a single comparison share a symbol's weight by their
/// attributes; all others count alike.
void GrammarTables::weigh(const Definition& definition) {
  constexpr std::uint64_t unit = 5040;  // divisible by all small numbers of relations
  std::vector<std::vector<std::uint32_t>> fitting(symbols.size());
  std::vector<std::uint64_t> uses(attributes.size(), 0);
  for (std::size_t s = 0; s < symbols.size(); ++s) {
    if (symbols[s].kind != Kind::relation) continue;
    fitting[s] = fitting_attributes(definition, definition.symbols[s], attributes);
    if (reaches[0][s] == 0) continue;
    for (const std::uint32_t a : fitting[s]) ++uses[a];
  }
  std::vector<std::uint64_t> mass(symbols.size(), 0);
  for (std::size_t s = 0; s < symbols.size(); ++s) {
    if (symbols[s].kind == Kind::literal) mass[s] = unit;
    for (const std::uint32_t a : fitting[s]) {
      const std::uint64_t weight =
          std::max<std::uint64_t>(1, unit / std::max<std::uint64_t>(1, uses[a]));
      symbols[s].attributes.add(a, weight);
      mass[s] += weight;
    }
  }
  for (Symbol& symbol : symbols) {
    std::uint64_t leaves = 0;
    std::uint64_t leaf_mass = 0;
    const auto is_single = [&](const Production& p) {
      return p.children.size() == 1 && is_leaf(p.children[0]) && mass[p.children[0]] > 0;
    };
    for (const Production& p : symbol.productions) {
      if (!is_single(p)) continue;
      ++leaves;
      leaf_mass += mass[p.children[0]];
    }
    for (Production& p : symbol.productions)
      p.weight = is_single(p)
                     ? std::max<std::uint64_t>(1, unit * leaves * mass[p.children[0]] / leaf_mass)
                     : unit;
  }
}

void GrammarTables::find_sizes() {
  const std::size_t length = std::size_t{max_comparisons} + 1;
  std::vector<SizeSet> possible(symbols.size(), SizeSet(length, 0));
  for (std::size_t s = 0; s < symbols.size(); ++s)
    if (symbols[s].kind == Kind::literal || !symbols[s].attributes.empty())
      if (length > 1) possible[s][1] = 1;
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t s = 0; s < symbols.size(); ++s) {
      for (Production& p : symbols[s].productions) {
        p.fits.assign(p.children.size() + 1, SizeSet(length, 0));
        p.fits.back()[0] = 1;
        for (std::size_t i = p.children.size(); i-- > 0;)
          p.fits[i] = sum_of(possible[p.children[i]], p.fits[i + 1]);
        for (std::size_t size = 1; size < length; ++size) {
          if (p.fits[0][size] == 0 || possible[s][size] != 0) continue;
          possible[s][size] = 1;
          changed = true;
        }
      }
    }
  }
  for (std::size_t s = 0; s < symbols.size(); ++s)
    for (std::uint32_t size = 1; size < length; ++size)
      if (possible[s][size] != 0) symbols[s].sizes.push_back(size);
}

void GrammarTables::find_choices() {
  for (Symbol& symbol : symbols) {
    symbol.choices.resize(std::size_t{max_comparisons} + 1);
    for (const std::uint32_t size : symbol.sizes)
      for (std::uint32_t p = 0; p < symbol.productions.size(); ++p)
        if (symbol.productions[p].fits[0][size] != 0)
          symbol.choices[size].add(p, symbol.productions[p].weight);
  }
}

void GrammarTables::find_reaches() {
  reaches.assign(symbols.size(), std::vector<std::uint8_t>(symbols.size(), 0));
  for (std::uint32_t from = 0; from < symbols.size(); ++from) {
    std::vector<std::uint32_t> open = {from};
    reaches[from][from] = 1;
    while (!open.empty()) {
      const std::uint32_t symbol = open.back();
      open.pop_back();
      for (const Production& p : symbols[symbol].productions)
        for (const std::uint32_t child : p.children)
          if (reaches[from][child] == 0) {
            reaches[from][child] = 1;
            open.push_back(child);
          }
    }
  }
}

void GrammarTables::explain_if_empty(const Definition& definition) const {
  if (!symbols[0].sizes.empty()) return;
  constexpr std::uint64_t never = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint64_t> least(symbols.size(), never);
  for (std::size_t round = 0; round <= symbols.size(); ++round)
    for (std::size_t s = 0; s < symbols.size(); ++s) {
      if (symbols[s].kind == Kind::literal || !symbols[s].attributes.empty()) least[s] = 1;
      for (const Production& p : symbols[s].productions) {
        std::uint64_t sum = 0;
        for (const std::uint32_t child : p.children) sum = std::min(never, sum + least[child]);
        least[s] = std::min(least[s], sum);
      }
    }
  if (least[0] < never)
    throw BadData(source, "no rule can be derived: the smallest has " + std::to_string(least[0]) +
                              " comparisons, at most " + std::to_string(max_comparisons) +
                              " are allowed");
  std::string unfit;
  for (std::size_t s = 0; s < symbols.size(); ++s)
    if (symbols[s].kind == Kind::relation && symbols[s].attributes.empty() && reaches[0][s] != 0)
      unfit += (unfit.empty() ? "<" : ", <") + definition.symbols[s].name + ">";
  throw BadData(source, unfit.empty()
                            ? "no rule can be derived: its symbols lead to each other without end"
                            : "no rule can be derived: no attribute fits " + unfit +
                                  " (at least two values; order relations: numeric or ordinal)");
}

bool GrammarTables::admits(const Symbol& leaf, const Comparison& comparison) const noexcept {
  if (leaf.kind == Kind::literal) return comparison == leaf.literal;
  const auto fitting = leaf.attributes.alternatives();
  return std::binary_search(fitting.begin(), fitting.end(), comparison.attribute) &&
         codes.admits(leaf.relation, comparison);
}

std::size_t GrammarTables::sizes_up_to(std::uint32_t symbol, std::uint32_t limit) const noexcept {
  const auto& sizes = symbols[symbol].sizes;
  return static_cast<std::size_t>(std::upper_bound(sizes.begin(), sizes.end(), limit) -
                                  sizes.begin());
}

}  // namespace atl
