#include "src/grammar/grammar_tables.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "src/core/error.hpp"
#include "src/data/attribute.hpp"
#include "src/data/presence.hpp"
#include "src/grammar/grammar_binding.hpp"
#include "src/grammar/missing_comparisons.hpp"

namespace atl {
namespace {

using Production = Grammar::Definition::Production;

/// Can a comparison of the relation say that an attribute of two codes has this one?
bool can_say(BoundRelation relation, std::uint32_t code) noexcept {
  if (relation == BoundRelation::less_equal) return code == 0;
  if (relation == BoundRelation::greater) return code == 1;
  return true;
}

/// Tells which children of a production stand below an odd number of its NOTs.
std::vector<bool> negated_children(const Production& production) {
  std::vector<bool> negated;
  for (const auto* program : {&production.antecedent, &production.consequent}) {
    std::vector<std::size_t> begins;  // of the operands so far, their first child
    for (const Op op : *program) {
      if (op == Op::comparison) {
        begins.push_back(negated.size());
        negated.push_back(false);
      } else if (op == Op::negation) {
        for (std::size_t i = begins.back(); i < negated.size(); ++i) negated[i] = !negated[i];
      } else {
        begins.pop_back();  // the operation begins where its left operand does
      }
    }
  }
  return negated;
}

class PresenceGrammar {
 public:
  PresenceGrammar(std::vector<BoundSymbol> symbols,
                  std::vector<std::optional<std::uint32_t>> presences)
      : from_(std::move(symbols)), presences_(std::move(presences)) {
    for (auto& numbers : numbers_) numbers.assign(from_.size(), none);
  }

  std::vector<BoundSymbol> take() {
    number(0, false);
    std::vector<BoundSymbol> to;
    for (std::size_t i = 0; i < wanted_.size(); ++i) to.push_back(restricted(wanted_[i]));
    return to;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Part {
    std::uint32_t symbol;
    bool negated;  // below an odd number of NOTs
  };

  std::uint32_t number(std::uint32_t symbol, bool negated) {
    std::uint32_t& number = numbers_[negated ? 1 : 0][symbol];
    if (number == none) {
      number = static_cast<std::uint32_t>(wanted_.size());
      wanted_.push_back({symbol, negated});
    }
    return number;
  }

  BoundSymbol restricted(Part part) {
    BoundSymbol symbol = from_[part.symbol];
    symbol.group = symbol.group << 1 | (part.negated ? 1U : 0U);
    symbol.absences = false;
    std::erase_if(symbol.attributes, [&](std::uint32_t a) {
      return presences_[a] && (part.negated || !can_say(symbol.relation, *presences_[a]));
    });
    for (Production& production : symbol.productions) {
      const std::vector<bool> negated = negated_children(production);
      for (std::size_t i = 0; i < production.children.size(); ++i)
        production.children[i] = number(production.children[i], part.negated != negated[i]);
    }
    return symbol;
  }

  std::vector<BoundSymbol> from_;
  std::vector<std::optional<std::uint32_t>> presences_;  // [attribute]
  std::array<std::vector<std::uint32_t>, 2> numbers_;    // [negated][symbol]
  std::vector<Part> wanted_;                             // [number]
};

/// The grammar without comparisons that only say that something is absent. A relation on an
/// attribute with a presence_code() has but the one comparison that it is there, if it can say so.
/// It has none below an odd number of NOTs, for which symbols are taken once more. What the
/// grammar's text fixes, such as "a = 0", stays. The grammar is as it was if no attribute has a
/// presence_code().
/// @param symbols  of the grammar; those that the start does not reach are left out
std::vector<BoundSymbol> without_absences(std::vector<BoundSymbol> symbols,
                                          std::span<const Attribute> attributes) {
  std::vector<std::optional<std::uint32_t>> presences;
  for (const Attribute& attribute : attributes) presences.push_back(presence_code(attribute));
  if (std::none_of(presences.begin(), presences.end(), [](const auto& code) { return code; }))
    return symbols;
  return PresenceGrammar(std::move(symbols), std::move(presences)).take();
}

/// More than any derivation of a sound grammar; keeps NOT NOT NOT ... and recursion in bounds.
std::size_t node_limit(std::size_t symbols, std::uint32_t max_comparisons) {
  return std::min<std::size_t>(16384, 2 * symbols * max_comparisons);
}

SizeSet sum_of(const SizeSet& a, const SizeSet& b) {
  SizeSet sums(a.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != 0)
      for (std::size_t j = 0; i + j < a.size(); ++j)
        if (b[j] != 0) sums[i + j] = 1;
  return sums;
}

bool joins(const std::vector<Op>& program) {
  return std::all_of(program.begin(), program.end(),
                     [](Op op) { return op == Op::comparison || op == Op::conjunction; });
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
                             std::uint32_t max, const BoundAim& aim)
    : attributes(all), max_comparisons(max), source(grammar.definition().source), codes(all) {
  auto symbols_on_data = with_missing(bind(grammar.definition(), all), aim.missing);
  if (!aim.absences) {
    symbols_on_data = without_absences(std::move(symbols_on_data), all);
    for (const Attribute& attribute : all) presences.push_back(presence_code(attribute));
  }
  const auto bound = aimed(std::move(symbols_on_data), aim, all, source);
  if (bound.size() > most_symbols)
    throw BadData(source, "has " + std::to_string(bound.size()) +
                              " symbols once aimed, expected at most " +
                              std::to_string(most_symbols));
  max_nodes = node_limit(bound.size(), max);
  take_over(bound);
  find_reaches();
  weigh(bound);
  find_sizes();
  explain_if_empty();
  find_choices();
  find_least_growths();
}

void GrammarTables::take_over(const std::vector<BoundSymbol>& bound) {
  for (const BoundSymbol& from : bound) {
    Symbol& to = symbols.emplace_back();
    to.name = from.name;
    to.kind = from.kind;
    to.relation = from.relation;
    to.literal = from.literal;
    to.absences = from.absences;
    for (const auto& production : from.productions) {
      Production& taken = to.productions.emplace_back();
      static_cast<Grammar::Definition::Production&>(taken) = production;
      taken.antecedent_children = antecedent_children(production);
      taken.joins = joins(production.antecedent) && joins(production.consequent);
    }
  }
}

/// Attributes are drawn alike by a group as a whole: one that suits several relations has that
/// much less weight in each. Productions of a single comparison share a symbol's weight by their
/// attributes; all others count alike.
void GrammarTables::weigh(const std::vector<BoundSymbol>& bound) {
  constexpr std::uint64_t unit = 5040;  // divisible by all small numbers of relations
  std::map<std::uint32_t, std::vector<std::uint64_t>> uses;  // [group][attribute]
  for (std::size_t s = 0; s < symbols.size(); ++s) {
    auto& used = uses[bound[s].group];
    used.resize(attributes.size());
    if (!reaches(0, s)) continue;
    for (const std::uint32_t a : bound[s].attributes) ++used[a];
  }
  std::vector<std::uint64_t> mass(symbols.size(), 0);
  for (std::size_t s = 0; s < symbols.size(); ++s) {
    if (symbols[s].kind == Kind::literal) mass[s] = unit;
    for (const std::uint32_t a : bound[s].attributes) {
      const std::uint64_t used = uses[bound[s].group][a];
      const std::uint64_t weight =
          std::max<std::uint64_t>(1, unit / std::max<std::uint64_t>(1, used));
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
  update_until_settled(symbols, [&](std::uint32_t s) {
    bool changed = false;
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
    return changed;
  });
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

void GrammarTables::find_least_growths() {
  const std::uint64_t never = std::uint64_t{max_comparisons} + 1;
  for (std::uint32_t s = 0; s < symbols.size(); ++s) {
    symbols[s].least_growth = never;
    for (const Production& p : symbols[s].productions) {
      std::uint64_t all = 0;
      const auto least = [&](std::uint32_t child) {
        const auto& sizes = symbols[child].sizes;
        return sizes.empty() ? never : sizes.front();
      };
      for (const std::uint32_t child : p.children) all += least(child);
      for (const std::uint32_t child : p.children) {
        if (!reaches(child, s)) continue;
        symbols[s].least_growth = std::min(symbols[s].least_growth, all - least(child));
      }
    }
  }
}

void GrammarTables::find_reaches() {
  std::vector<std::vector<std::uint32_t>> children(symbols.size());
  for (std::size_t s = 0; s < symbols.size(); ++s)
    for (const Production& p : symbols[s].productions)
      children[s].insert(children[s].end(), p.children.begin(), p.children.end());
  reaches = GrammarReach(children);
}

void GrammarTables::explain_if_empty() const {
  if (!symbols[0].sizes.empty()) return;
  constexpr std::uint64_t never = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint64_t> least(symbols.size(), never);
  for (std::size_t s = 0; s < symbols.size(); ++s)
    if (symbols[s].kind == Kind::literal || !symbols[s].attributes.empty()) least[s] = 1;
  update_until_settled(symbols, [&](std::uint32_t s) {
    const std::uint64_t before = least[s];
    for (const Production& p : symbols[s].productions) {
      std::uint64_t sum = 0;
      for (const std::uint32_t child : p.children) sum = std::min(never, sum + least[child]);
      least[s] = std::min(least[s], sum);
    }
    return least[s] < before;
  });
  if (least[0] < never)
    throw BadData(source, "no rule can be derived: the smallest has " + std::to_string(least[0]) +
                              " comparisons, at most " + std::to_string(max_comparisons) +
                              " are allowed");
  std::string unfit;
  for (std::size_t s = 0; s < symbols.size(); ++s)
    if (symbols[s].kind == Kind::relation && symbols[s].attributes.empty() && reaches(0, s))
      unfit += (unfit.empty() ? "<" : ", <") + symbols[s].name + ">";
  throw BadData(source, unfit.empty()
                            ? "no rule can be derived: its symbols lead to each other without end"
                            : "no rule can be derived: no attribute fits " + unfit +
                                  " (at least two values; order relations: numeric or ordinal" +
                                  (presences.empty() ? ")" : "; nothing absent)"));
}

std::optional<Comparison> GrammarTables::only(const Symbol& leaf,
                                              std::uint32_t attribute) const noexcept {
  if (leaf.relation == BoundRelation::missing) return is_missing(attribute);
  if (leaf.relation == BoundRelation::known)
    return is_known(attribute, attributes[attribute].distinct());
  if (leaf.absences || presences.empty() || !presences[attribute]) return std::nullopt;
  const std::uint32_t code = *presences[attribute];
  if (leaf.relation == BoundRelation::not_equal)
    return Comparison{attribute, 1 - code, 1 - code, true};
  return Comparison{attribute, code, code, false};
}

Comparison GrammarTables::draw(const Symbol& leaf, std::uint32_t attribute,
                               RandomStream& stream) const {
  if (const auto one = only(leaf, attribute)) return *one;
  return codes.draw(leaf.relation, attribute, stream);
}

bool GrammarTables::admits(const Symbol& leaf, const Comparison& comparison) const noexcept {
  if (leaf.kind == Kind::literal) return comparison == leaf.literal;
  const auto fitting = leaf.attributes.alternatives();
  if (!std::binary_search(fitting.begin(), fitting.end(), comparison.attribute)) return false;
  if (const auto one = only(leaf, comparison.attribute)) return comparison == *one;
  return codes.admits(leaf.relation, comparison);
}

std::size_t GrammarTables::sizes_up_to(std::uint32_t symbol, std::uint32_t limit) const noexcept {
  const auto& sizes = symbols[symbol].sizes;
  return static_cast<std::size_t>(std::upper_bound(sizes.begin(), sizes.end(), limit) -
                                  sizes.begin());
}

}  // namespace atl
