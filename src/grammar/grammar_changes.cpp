// Changes derivations.
#include <algorithm>
#include <cassert>

#include "src/data/bit_planes.hpp"
#include "src/grammar/deriver.hpp"
#include "src/grammar/grammar.hpp"

namespace atl {
namespace {

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

/// Nodes of the side that `node` is not on. @pre node > 0
std::span<const DerivationNode> other_side(const GrammarTables& tables,
                                           const Derivation& derivation, std::size_t node) {
  const std::size_t consequent = consequent_begin(tables, derivation);
  const auto nodes = std::span(derivation);
  return node < consequent ? nodes.subspan(consequent) : nodes.first(consequent);
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

/// Has a comparison that something is there, or missing, or known, but not on the row, say it of
/// something else that is so.
/// @param codes  [attributes] of the row
void take_present(const GrammarTables& tables, const Derivation& derivation, DerivationNode& node,
                  std::span<const std::uint32_t> codes, RandomStream& stream) {
  const auto& symbol = tables.symbols[node.symbol];
  const auto excluded = [&](std::uint32_t attribute) {
    const auto one = tables.only(symbol, attribute);
    if (!one || !takes(*one, codes[attribute])) return true;
    return std::any_of(derivation.begin(), derivation.end(), [&](const DerivationNode& n) {
      return tables.is_leaf(n.symbol) && n.comparison.attribute == attribute;
    });
  };
  if (const auto drawn = symbol.attributes.draw(stream, excluded))
    node.comparison = *tables.only(symbol, *drawn);
}

}  // namespace

SubtreeSite BoundGrammar::site(const Derivation& derivation, std::size_t node, bool grows) const {
  assert(node < derivation.size());
  const std::uint32_t all = count_comparisons(*tables_, derivation);
  const std::uint32_t replaced = grows ? 0 : count_comparisons(*tables_, subtree(derivation, node));
  SubtreeSite site{derivation, node, grows, tables_->max_comparisons - all + replaced};
  if (node == 0) return site;
  const std::size_t consequent = consequent_begin(derivation);
  const auto nodes = std::span(derivation);
  const auto antecedent = nodes.first(consequent);
  const bool in_antecedent = node < consequent;
  const std::size_t kept_until = grows ? nodes.size() : node;
  const std::size_t kept_from = grows ? nodes.size() : node + derivation[node].size;
  const auto note = [&](std::span<const DerivationNode> side) {
    for (const DerivationNode& n : side) {
      const auto at = static_cast<std::size_t>(&n - nodes.data());
      if (tables_->is_leaf(n.symbol) && (at < kept_until || at >= kept_from))
        site.attributes.push_back(n.comparison.attribute);
    }
  };
  note(in_antecedent ? nodes.subspan(consequent) : antecedent);
  site.others = site.attributes.size();
  note(in_antecedent ? antecedent : nodes.subspan(consequent));
  return site;
}

bool BoundGrammar::draw(const SubtreeSite& site, RandomStream& stream, Derivation& drawn) const {
  const auto old = subtree(site.derivation, site.node);
  const std::uint32_t symbol = old.front().symbol;
  if (site.grows && tables_->symbols[symbol].least_growth > site.limit) return false;
  Deriver deriver(*tables_, stream, drawn, site.attributes, site.others);
  for (int attempt = 0; attempt < change_attempts; ++attempt, deriver.restart()) {
    if (site.grows) {
      if (!deriver.embed(symbol, old, site.limit)) continue;
    } else if (!deriver.derive(symbol, deriver.draw_size(symbol, site.limit))) {
      continue;
    }
    if (site.derivation.size() - old.size() + drawn.size() > tables_->max_nodes) continue;
    if (std::equal(drawn.begin(), drawn.end(), old.begin(), old.end())) continue;
    return true;
  }
  return false;
}

bool BoundGrammar::rederive(Derivation& derivation, std::size_t node, RandomStream& stream) const {
  Derivation drawn;
  if (!draw(site(derivation, node, false), stream, drawn)) return false;
  replace(derivation, node, drawn);
  return true;
}

bool BoundGrammar::grow(Derivation& derivation, std::size_t node, RandomStream& stream) const {
  Derivation drawn;
  if (!draw(site(derivation, node, true), stream, drawn)) return false;
  replace(derivation, node, drawn);
  return true;
}

void BoundGrammar::put(Derivation& derivation, std::size_t node,
                       std::span<const DerivationNode> drawn) {
  replace(derivation, node, drawn);
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
    const bool holds = takes(node.comparison, code);
    if (!holds && tables_->only(symbol, node.comparison.attribute)) {
      take_present(*tables_, derivation, node, codes, stream);
      continue;
    }
    if (code == missing_code || holds) continue;
    tables_->codes.draw_holding(symbol.relation, code, node.comparison, stream);
  }
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

}  // namespace atl
