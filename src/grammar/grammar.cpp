#include "src/grammar/grammar.hpp"

#include <algorithm>
#include <cassert>

#include "src/core/error.hpp"
#include "src/grammar/deriver.hpp"
#include "src/grammar/grammar_tables.hpp"
#include "src/rules/canonical.hpp"

namespace atl {
namespace {

constexpr int derive_attempts = 1000;

/// Makes nodes of a side a conjunction in canonical form. False, and nothing of use written, if
/// something in them does more than join by AND.
bool write_conjunction(const GrammarTables& tables, std::span<const DerivationNode> nodes,
                       Expression& side) {
  Comparisons comparisons;
  for (const DerivationNode& node : nodes) {
    const auto& symbol = tables.symbols[node.symbol];
    if (symbol.kind != GrammarTables::Kind::productions) {
      comparisons.push_back(node.comparison);
    } else if (!symbol.productions[node.production].joins) {
      return false;
    }
  }
  make_canonical(comparisons, tables.attributes);
  side.assign_conjunction(comparisons);
  return true;
}

/// Writes the subtree at `node` as a postfix program; returns the position behind it.
struct RuleWriter {
  const GrammarTables& tables;
  const Derivation& derivation;
  Ops program;
  Comparisons comparisons;

  std::size_t write(std::size_t node) {
    const DerivationNode& from = derivation[node];
    const auto& symbol = tables.symbols[from.symbol];
    if (symbol.kind == GrammarTables::Kind::productions)
      return write(symbol.productions[from.production].antecedent, node + 1);
    program.push_back(Op::comparison);
    comparisons.push_back(from.comparison);
    return node + 1;
  }

  std::size_t write(std::span<const Op> template_program, std::size_t child) {
    for (const Op op : template_program) {
      if (op == Op::comparison)
        child = write(child);
      else
        program.push_back(op);
    }
    return child;
  }

  /// Takes what was written since the last call, canonical.
  Expression take() {
    Expression side = canonical(Expression(program, comparisons), tables.attributes);
    program.clear();
    comparisons.clear();
    return side;
  }
};

}  // namespace

BoundGrammar::BoundGrammar(const Grammar& grammar, std::span<const Attribute> attributes,
                           std::uint32_t max_comparisons)
    : BoundGrammar(grammar, attributes, max_comparisons, {}) {}

BoundGrammar::BoundGrammar(const Grammar& grammar, std::span<const Attribute> attributes,
                           std::uint32_t max_comparisons, const BoundAim& aim)
    : tables_(std::make_unique<const GrammarTables>(grammar, attributes, max_comparisons, aim)) {
  RandomStream stream({0, 0, 0, 0, Purpose::initialise});
  derive(stream);
}

BoundGrammar::~BoundGrammar() = default;
BoundGrammar::BoundGrammar(BoundGrammar&&) noexcept = default;

std::span<const Attribute> BoundGrammar::attributes() const noexcept {
  return tables_->attributes;
}

std::uint32_t BoundGrammar::max_comparisons() const noexcept {
  return tables_->max_comparisons;
}

Derivation BoundGrammar::derive(RandomStream& stream) const {
  Derivation derived;
  Deriver deriver(*tables_, stream, derived);
  for (int attempt = 0; attempt < derive_attempts; ++attempt, deriver.restart()) {
    if (deriver.derive(0, deriver.draw_size(0, tables_->max_comparisons))) return derived;
  }
  throw BadData(tables_->source,
                "no rule can be derived: none in " + std::to_string(derive_attempts) +
                    " attempts had sides without a common attribute (attributes with one value "
                    "are not drawn)");
}

std::optional<BoundRelation> BoundGrammar::relation(const DerivationNode& node) const noexcept {
  const auto& symbol = tables_->symbols[node.symbol];
  if (symbol.kind != GrammarTables::Kind::relation) return std::nullopt;
  if (asks_presence(symbol.relation)) return std::nullopt;
  return symbol.relation;
}

std::optional<std::uint32_t> BoundGrammar::only_code(const DerivationNode& node) const noexcept {
  const auto& symbol = tables_->symbols[node.symbol];
  if (symbol.kind != GrammarTables::Kind::relation) return std::nullopt;
  if (asks_presence(symbol.relation)) return std::nullopt;
  const auto one = tables_->only(symbol, node.comparison.attribute);
  return one ? std::optional(one->low) : std::nullopt;
}

std::optional<std::uint32_t> BoundGrammar::presence(std::uint32_t attribute) const noexcept {
  return tables_->presences.empty() ? std::nullopt : tables_->presences[attribute];
}

bool BoundGrammar::is_comparison(const DerivationNode& node) const noexcept {
  return tables_->is_leaf(node.symbol);
}

std::size_t BoundGrammar::consequent_begin(const Derivation& derivation) const noexcept {
  return atl::consequent_begin(*tables_, derivation);
}

bool BoundGrammar::only_conjunctions() const noexcept {
  const auto& symbols = tables_->symbols;
  return std::all_of(symbols.begin(), symbols.end(), [](const GrammarTables::Symbol& symbol) {
    return std::all_of(symbol.productions.begin(), symbol.productions.end(),
                       [](const auto& production) { return production.joins; });
  });
}

bool BoundGrammar::has_literal_on(std::uint32_t attribute) const noexcept {
  return std::any_of(tables_->symbols.begin(), tables_->symbols.end(), [&](const auto& symbol) {
    return symbol.kind == GrammarTables::Kind::literal && symbol.literal.attribute == attribute;
  });
}

bool BoundGrammar::has(BoundRelation relation, std::uint32_t attribute,
                       bool antecedent) const noexcept {
  const auto& symbols = tables_->symbols;
  const auto is_asked = [&](const GrammarTables::Symbol& leaf) {
    if (leaf.kind != GrammarTables::Kind::relation || leaf.relation != relation) return false;
    const auto attributes = leaf.attributes.alternatives();
    return std::binary_search(attributes.begin(), attributes.end(), attribute);
  };
  for (std::size_t leaf = 0; leaf < symbols.size(); ++leaf) {
    if (!is_asked(symbols[leaf])) continue;
    for (const auto& production : symbols[0].productions) {
      for (std::size_t i = 0; i < production.children.size(); ++i) {
        const std::size_t child = production.children[i];
        if ((i < production.antecedent_children) != antecedent) continue;
        if (child == leaf || tables_->reaches(child, leaf)) return true;
      }
    }
  }
  return false;
}

bool BoundGrammar::joins_antecedents() const {
  const auto& start = tables_->symbols[0].productions;
  if (start.size() != 1 || start[0].antecedent_children != 1) return false;
  if (start[0].antecedent.size() != 1) return false;  // nothing done to the child
  const std::uint32_t side = start[0].children[0];
  const auto joins = [side](const GrammarTables::Production& production) {
    return production.children == std::vector{side, side} &&
           production.antecedent.back() == Op::conjunction;
  };
  const auto& productions = tables_->symbols[side].productions;
  return std::any_of(productions.begin(), productions.end(), joins);
}

Rule BoundGrammar::rule(const Derivation& derivation) const {
  Rule rule;
  write_rule(derivation, rule);
  return rule;
}

void BoundGrammar::write_rule(const Derivation& derivation, Rule& rule) const {
  assert(!derivation.empty() && derivation[0].symbol == 0);
  const auto& start = tables_->symbols[0].productions[derivation[0].production];
  const auto nodes = std::span(derivation);
  const std::size_t consequent = consequent_begin(derivation);
  if (start.joins &&
      write_conjunction(*tables_, nodes.subspan(1, consequent - 1), rule.antecedent) &&
      write_conjunction(*tables_, nodes.subspan(consequent), rule.consequent)) {
    return;
  }
  RuleWriter writer{*tables_, derivation, {}, {}};
  writer.write(start.antecedent, 1);
  rule.antecedent = writer.take();
  writer.write(start.consequent, consequent);
  rule.consequent = writer.take();
}

bool BoundGrammar::accepts(const Derivation& derivation) const noexcept {
  if (derivation.empty() || derivation.size() > tables_->max_nodes) return false;
  struct Subtree {
    std::uint32_t symbol, size;
  };
  std::vector<Subtree> stack;  // from the last node back: the children of a node are on top
  std::uint32_t comparisons = 0;
  for (std::size_t i = derivation.size(); i-- > 0;) {
    const DerivationNode& node = derivation[i];
    if (node.symbol >= tables_->symbols.size()) return false;
    const auto& symbol = tables_->symbols[node.symbol];
    std::uint32_t size = 1;
    if (symbol.kind == GrammarTables::Kind::productions) {
      if (node.production >= symbol.productions.size() || node.comparison != Comparison{})
        return false;
      for (const std::uint32_t child : symbol.productions[node.production].children) {
        if (stack.empty() || stack.back().symbol != child) return false;
        size += stack.back().size;
        stack.pop_back();
      }
    } else {
      if (node.production != 0 || !tables_->admits(symbol, node.comparison)) return false;
      ++comparisons;
    }
    if (node.size != size) return false;
    stack.push_back({node.symbol, size});
  }
  if (stack.size() != 1 || stack[0].symbol != 0) return false;
  if (comparisons > tables_->max_comparisons) return false;
  const auto nodes = std::span(derivation);
  const std::size_t consequent = consequent_begin(derivation);
  return !shares_attribute(*tables_, nodes.first(consequent), nodes.subspan(consequent));
}

}  // namespace atl
