#include "src/grammar/grammar.hpp"

#include <algorithm>
#include <cassert>

#include "src/core/error.hpp"
#include "src/data/bit_planes.hpp"
#include "src/grammar/deriver.hpp"
#include "src/grammar/grammar_tables.hpp"
#include "src/rules/canonical.hpp"

namespace atl {
namespace {

constexpr int derive_attempts = 1000;
constexpr int change_attempts = 8;

std::span<const DerivationNode> subtree(const Derivation& derivation, std::size_t node) {
  return std::span(derivation).subspan(node, derivation[node].size);
}

std::uint32_t count_comparisons(const GrammarTables& tables,
                                std::span<const DerivationNode> nodes) noexcept {
  return static_cast<std::uint32_t>(
      std::count_if(nodes.begin(), nodes.end(),
                    [&](const DerivationNode& n) { return tables.is_leaf(n.symbol); }));
}

/// Position of the consequent's first node.
std::size_t consequent_begin(const GrammarTables& tables, const Derivation& derivation) noexcept {
  const auto& start = tables.symbols[0].productions[derivation[0].production];
  std::size_t node = 1;
  for (std::uint32_t i = 0; i < start.antecedent_children; ++i) node += derivation[node].size;
  return node;
}

/// Nodes of the side that `node` is not on. @pre node > 0
std::span<const DerivationNode> other_side(const GrammarTables& tables,
                                           const Derivation& derivation, std::size_t node) {
  const std::size_t consequent = consequent_begin(tables, derivation);
  const auto nodes = std::span(derivation);
  return node < consequent ? nodes.subspan(consequent) : nodes.first(consequent);
}

bool shares_attribute(const GrammarTables& tables, std::span<const DerivationNode> a,
                      std::span<const DerivationNode> b) noexcept {
  return std::any_of(a.begin(), a.end(), [&](const DerivationNode& x) {
    return tables.is_leaf(x.symbol) &&
           std::any_of(b.begin(), b.end(), [&](const DerivationNode& y) {
             return tables.is_leaf(y.symbol) && y.comparison.attribute == x.comparison.attribute;
           });
  });
}

/// Puts other nodes in the place of a subtree and corrects the sizes of its ancestors.
/// @param nodes  not part of the derivation
void replace(Derivation& derivation, std::size_t node, std::span<const DerivationNode> nodes) {
  const std::uint32_t old_size = derivation[node].size;
  const auto new_size = static_cast<std::uint32_t>(nodes.size());
  for (std::size_t at = 0; at < node;) {
    derivation[at].size += new_size - old_size;  // modulo 2^32
    ++at;
    while (at + derivation[at].size <= node) at += derivation[at].size;
  }
  derivation.replace(node, old_size, nodes);
}

/// A deriver for a subtree at `node`, or beside it: knows the attributes of the rest of the rule.
Deriver deriver_at(const GrammarTables& tables, const Derivation& derivation, std::size_t node,
                   bool keep_subtree, RandomStream& stream) {
  Deriver deriver(tables, stream);
  if (node == 0) return deriver;
  const std::size_t consequent = consequent_begin(tables, derivation);
  const bool in_antecedent = node < consequent;
  const auto nodes = std::span(derivation);
  const auto other = in_antecedent ? nodes.subspan(consequent) : nodes.first(consequent);
  for (const DerivationNode& n : other)
    if (tables.is_leaf(n.symbol)) deriver.forbid(n.comparison.attribute);
  const std::size_t begin = in_antecedent ? 0 : consequent;
  const std::size_t end = in_antecedent ? consequent : nodes.size();
  for (std::size_t i = begin; i < end; ++i) {
    const bool in_subtree = i >= node && i < node + derivation[node].size;
    if (tables.is_leaf(nodes[i].symbol) && (keep_subtree || !in_subtree))
      deriver.avoid(nodes[i].comparison.attribute);
  }
  return deriver;
}

/// Has a comparison that something is there, but not on the row, say it of something else that is.
/// @param codes  [attributes] of the row
void take_present(const GrammarTables& tables, const Derivation& derivation, DerivationNode& node,
                  std::span<const std::uint32_t> codes, RandomStream& stream) {
  const auto& symbol = tables.symbols[node.symbol];
  const auto excluded = [&](std::uint32_t attribute) {
    const auto one = tables.only(symbol, attribute);
    if (!one || codes[attribute] == missing_code || !takes(*one, codes[attribute])) return true;
    return std::any_of(derivation.begin(), derivation.end(), [&](const DerivationNode& n) {
      return tables.is_leaf(n.symbol) && n.comparison.attribute == attribute;
    });
  };
  if (const auto drawn = symbol.attributes.draw(stream, excluded))
    node.comparison = *tables.only(symbol, *drawn);
}

/// Writes the subtree at `node` as a postfix program; returns the position behind it.
struct RuleWriter {
  const GrammarTables& tables;
  const Derivation& derivation;
  Ops program;
  Comparisons comparisons;
  bool conjunction = true;  ///< nothing else was written

  std::size_t write(std::size_t node) {
    const DerivationNode& from = derivation[node];
    const auto& symbol = tables.symbols[from.symbol];
    if (symbol.kind == GrammarTables::Kind::productions)
      return write(symbol.productions[from.production].antecedent, node + 1);
    add(Op::comparison);
    comparisons.push_back(from.comparison);
    return node + 1;
  }

  std::size_t write(std::span<const Op> template_program, std::size_t child) {
    for (const Op op : template_program) {
      if (op == Op::comparison)
        child = write(child);
      else
        add(op);
    }
    return child;
  }

  void add(Op op) {
    program.push_back(op);
    conjunction = conjunction && (op == Op::comparison || op == Op::conjunction);
  }

  /// What was written since the last call, canonical.
  Expression take() {
    Expression side = conjunction ? canonical_conjunction(comparisons, tables.attributes)
                                  : canonical(Expression(program, comparisons), tables.attributes);
    program.clear();
    comparisons.clear();
    conjunction = true;
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
  for (int attempt = 0; attempt < derive_attempts; ++attempt) {
    Deriver deriver(*tables_, stream);
    if (deriver.derive(0, deriver.draw_size(0, tables_->max_comparisons)))
      return deriver.derivation();
  }
  throw BadData(tables_->source,
                "no rule can be derived: none in " + std::to_string(derive_attempts) +
                    " attempts had sides without a common attribute (attributes with one value "
                    "are not drawn)");
}

bool BoundGrammar::rederive(Derivation& derivation, std::size_t node, RandomStream& stream) const {
  assert(node < derivation.size());
  const auto old = subtree(derivation, node);
  const std::uint32_t kept =
      count_comparisons(*tables_, derivation) - count_comparisons(*tables_, old);
  const std::uint32_t symbol = derivation[node].symbol;
  for (int attempt = 0; attempt < change_attempts; ++attempt) {
    Deriver deriver = deriver_at(*tables_, derivation, node, false, stream);
    const std::uint32_t size = deriver.draw_size(symbol, tables_->max_comparisons - kept);
    if (!deriver.derive(symbol, size)) continue;
    const Derivation& drawn = deriver.derivation();
    if (derivation.size() - old.size() + drawn.size() > tables_->max_nodes) continue;
    if (std::equal(drawn.begin(), drawn.end(), old.begin(), old.end())) continue;
    replace(derivation, node, drawn);
    return true;
  }
  return false;
}

bool BoundGrammar::graft(Derivation& derivation, std::size_t node, const Derivation& donor,
                         std::size_t donor_node) const {
  assert(node < derivation.size() && donor_node < donor.size());
  const auto old = subtree(derivation, node);
  const auto given = subtree(donor, donor_node);
  if (old.front().symbol != given.front().symbol) return false;
  if (std::equal(old.begin(), old.end(), given.begin(), given.end())) return false;
  if (derivation.size() - old.size() + given.size() > tables_->max_nodes) return false;
  const std::uint32_t comparisons = count_comparisons(*tables_, derivation) -
                                    count_comparisons(*tables_, old) +
                                    count_comparisons(*tables_, given);
  if (comparisons > tables_->max_comparisons) return false;
  if (node > 0 && shares_attribute(*tables_, given, other_side(*tables_, derivation, node)))
    return false;
  replace(derivation, node, Derivation(given));  // the donor may be itself
  return true;
}

bool BoundGrammar::shrink(Derivation& derivation, std::size_t node, RandomStream& stream) const {
  assert(node < derivation.size());
  const auto old = subtree(derivation, node);
  const auto is_like_root = [&](const DerivationNode& n) { return n.symbol == old[0].symbol; };
  const auto candidates = std::count_if(old.begin() + 1, old.end(), is_like_root);
  if (candidates == 0) return false;
  std::uint64_t skip = stream.below(static_cast<std::uint64_t>(candidates));
  std::size_t chosen = node + 1;
  while (!is_like_root(derivation[chosen]) || skip-- > 0) ++chosen;
  const auto kept = subtree(derivation, chosen);
  replace(derivation, node, Derivation(kept));
  return true;
}

bool BoundGrammar::grow(Derivation& derivation, std::size_t node, RandomStream& stream) const {
  assert(node < derivation.size());
  const auto inner = subtree(derivation, node);
  const std::uint32_t budget = tables_->max_comparisons - count_comparisons(*tables_, derivation);
  for (int attempt = 0; attempt < change_attempts; ++attempt) {
    Deriver deriver = deriver_at(*tables_, derivation, node, true, stream);
    if (!deriver.embed(inner.front().symbol, inner, budget)) continue;
    const Derivation& drawn = deriver.derivation();
    if (derivation.size() - inner.size() + drawn.size() > tables_->max_nodes) continue;
    replace(derivation, node, drawn);
    return true;
  }
  return false;
}

bool BoundGrammar::perturb(Derivation& derivation, std::size_t node, RandomStream& stream) const {
  assert(node < derivation.size());
  const auto& symbol = tables_->symbols[derivation[node].symbol];
  if (symbol.kind != GrammarTables::Kind::relation) return false;
  if (tables_->only(symbol, derivation[node].comparison.attribute)) return false;
  return tables_->codes.perturb(symbol.relation, derivation[node].comparison, stream);
}

void BoundGrammar::repair(Derivation& derivation, std::span<const std::uint32_t> codes,
                          RandomStream& stream) const {
  for (DerivationNode& node : derivation) {
    const auto& symbol = tables_->symbols[node.symbol];
    if (symbol.kind != GrammarTables::Kind::relation) continue;
    const std::uint32_t code = codes[node.comparison.attribute];
    const bool holds = code != missing_code && takes(node.comparison, code);
    if (!holds && tables_->only(symbol, node.comparison.attribute)) {
      take_present(*tables_, derivation, node, codes, stream);
      continue;
    }
    if (code == missing_code || holds) continue;
    tables_->codes.draw_holding(symbol.relation, code, node.comparison, stream);
  }
}

std::optional<BoundRelation> BoundGrammar::relation(const DerivationNode& node) const noexcept {
  const auto& symbol = tables_->symbols[node.symbol];
  if (symbol.kind != GrammarTables::Kind::relation) return std::nullopt;
  return symbol.relation;
}

std::optional<std::uint32_t> BoundGrammar::only_code(const DerivationNode& node) const noexcept {
  const auto& symbol = tables_->symbols[node.symbol];
  if (symbol.kind != GrammarTables::Kind::relation) return std::nullopt;
  const auto one = tables_->only(symbol, node.comparison.attribute);
  return one ? std::optional(one->low) : std::nullopt;
}

std::optional<std::uint32_t> BoundGrammar::presence(std::uint32_t attribute) const noexcept {
  return tables_->presences.empty() ? std::nullopt : tables_->presences[attribute];
}

bool BoundGrammar::set_codes(Derivation& derivation, std::size_t node, std::uint32_t low,
                             std::uint32_t high) const {
  Comparison changed = derivation[node].comparison;
  changed.low = low;
  changed.high = high;
  if (changed == derivation[node].comparison) return false;
  if (!tables_->admits(tables_->symbols[derivation[node].symbol], changed)) return false;
  derivation[node].comparison = changed;
  return true;
}

Positions BoundGrammar::comparison_nodes(const Derivation& derivation) const {
  Positions nodes;
  for (std::size_t i = 0; i < derivation.size(); ++i)
    if (tables_->is_leaf(derivation[i].symbol)) nodes.push_back(i);
  return nodes;
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
  assert(!derivation.empty() && derivation[0].symbol == 0);
  const auto& start = tables_->symbols[0].productions[derivation[0].production];
  RuleWriter writer{*tables_, derivation, {}, {}};
  const std::size_t consequent = writer.write(start.antecedent, 1);
  Rule rule;
  rule.antecedent = writer.take();
  writer.write(start.consequent, consequent);
  rule.consequent = writer.take();
  return rule;
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
  const std::size_t consequent = consequent_begin(*tables_, derivation);
  return !shares_attribute(*tables_, nodes.first(consequent), nodes.subspan(consequent));
}

}  // namespace atl
