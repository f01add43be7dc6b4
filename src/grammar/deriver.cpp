#include "src/grammar/deriver.hpp"

#include <bit>
#include <cassert>

namespace atl {

std::uint32_t Deriver::draw_size(std::uint32_t symbol, std::uint32_t limit) {
  const std::size_t possible = tables_.sizes_up_to(symbol, limit);
  if (possible == 0) return 0;
  std::size_t drawn = 0;
  if (possible > 1)
    drawn = std::min(static_cast<std::size_t>(std::countr_zero(stream_.next_u64())), possible - 1);
  return tables_.symbols[symbol].sizes[drawn];
}

bool Deriver::derive(std::uint32_t symbol, std::uint32_t size) {
  if (out_.size() >= tables_.max_nodes) return false;
  if (tables_.is_leaf(symbol)) return derive_leaf(symbol);
  const auto& definition = tables_.symbols[symbol];
  const std::uint32_t production = definition.choices[size].draw(stream_);
  const std::size_t root = out_.size();
  out_.push_back({symbol, production, 0, {}});
  if (!derive_children(definition.productions[production], size)) return false;
  out_[root].size = static_cast<std::uint32_t>(out_.size() - root);
  return true;
}

bool Deriver::derive_children(const GrammarTables::Production& production, std::uint32_t size) {
  for (std::size_t i = 0; i < production.children.size(); ++i) {
    // The start's antecedent is complete: its attributes are the other side's from here on.
    if (!production.consequent.empty() && i == production.antecedent_children)
      forbidden_ = used_.size();
    const std::uint32_t part = draw_split(production, i, size);
    if (!derive(production.children[i], part)) return false;
    size -= part;
  }
  return true;
}

/// Comparisons of child i if it and those after it have `size`; all possible splits alike.
std::uint32_t Deriver::draw_split(const GrammarTables::Production& production, std::size_t child,
                                  std::uint32_t size) {
  if (child + 1 == production.children.size()) return size;
  const auto& sizes = tables_.symbols[production.children[child]].sizes;
  const auto fits = [&](std::uint32_t part) {
    return part <= size && production.fits[child + 1][size - part] != 0;
  };
  const auto splits = static_cast<std::uint64_t>(std::count_if(sizes.begin(), sizes.end(), fits));
  std::uint64_t skip = splits == 1 ? 0 : stream_.below(splits);
  for (const std::uint32_t part : sizes)
    if (fits(part) && skip-- == 0) return part;
  assert(false);
  return 0;
}

bool Deriver::derive_leaf(std::uint32_t symbol) {
  const auto& definition = tables_.symbols[symbol];
  DerivationNode node{symbol, 0, 1, definition.literal};
  if (definition.kind == GrammarTables::Kind::literal) {
    if (is_forbidden(node.comparison.attribute)) return false;
  } else {
    std::uint32_t attribute = 0;
    if (!draw_attribute(definition.attributes, attribute)) return false;
    node.comparison = tables_.draw(definition, attribute, stream_);
  }
  out_.push_back(node);
  used_.push_back(node.comparison.attribute);
  return true;
}

bool Deriver::draw_attribute(const WeightedChoice& attributes, std::uint32_t& attribute) {
  for (int attempt = 0; attempt < 4; ++attempt) {
    attribute = attributes.draw(stream_);
    if (!is_used(attribute)) return true;
  }
  const auto draw = [&](auto excluded) {
    const auto drawn = attributes.draw(stream_, excluded);
    if (drawn) attribute = *drawn;
    return drawn.has_value();
  };
  return draw([this](std::uint32_t a) { return is_used(a); }) ||
         draw([this](std::uint32_t a) { return is_forbidden(a); });
}

bool Deriver::embed(std::uint32_t symbol, std::span<const DerivationNode> inner,
                    std::uint32_t budget) {
  return embed_in(symbol, inner, budget);
}

bool Deriver::embed_in(std::uint32_t symbol, std::span<const DerivationNode> inner,
                       std::uint32_t& budget) {
  if (out_.size() + inner.size() >= tables_.max_nodes) return false;
  const std::uint32_t target = inner.front().symbol;
  const auto edges = edges_towards(symbol, target, budget);
  if (edges.empty()) return false;
  const Edge edge = edges[stream_.below(edges.size())];
  const auto& children = tables_.symbols[symbol].productions[edge.production].children;
  const std::size_t root = out_.size();
  out_.push_back({symbol, edge.production, 0, {}});

  std::uint32_t reserved = 0;  // the siblings' least sizes
  for (std::size_t i = 0; i < children.size(); ++i)
    if (i != edge.child) reserved += tables_.symbols[children[i]].sizes.front();
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i != edge.child) {
      reserved -= tables_.symbols[children[i]].sizes.front();
      const std::uint32_t size = draw_size(children[i], budget - reserved);
      if (!derive(children[i], size)) return false;
      budget -= size;
    } else if (children[i] == target) {
      out_.append(inner);
    } else {
      std::uint32_t own = budget - reserved;
      if (!embed_in(children[i], inner, own)) return false;
      budget = own + reserved;
    }
  }
  out_[root].size = static_cast<std::uint32_t>(out_.size() - root);
  return true;
}

/// Children of the symbol's productions below which the target can be, at a cost within budget.
Deriver::Edges Deriver::edges_towards(std::uint32_t symbol, std::uint32_t target,
                                      std::uint32_t budget) const {
  Edges edges;
  const auto& productions = tables_.symbols[symbol].productions;
  for (std::uint32_t p = 0; p < productions.size(); ++p) {
    const auto& children = productions[p].children;
    for (std::uint32_t hole = 0; hole < children.size(); ++hole) {
      if (!tables_.reaches(children[hole], target)) continue;
      std::uint64_t cost = 0;
      for (std::uint32_t i = 0; i < children.size(); ++i) {
        if (i == hole) continue;
        const auto& sizes = tables_.symbols[children[i]].sizes;
        cost += sizes.empty() ? std::uint64_t{budget} + 1 : sizes.front();
      }
      if (cost <= budget) edges.push_back({p, hole});
    }
  }
  return edges;
}

bool Deriver::is_used(std::uint32_t attribute) const noexcept {
  return std::find(used_.begin(), used_.end(), attribute) != used_.end();
}

bool Deriver::is_forbidden(std::uint32_t attribute) const noexcept {
  const auto* const end = used_.begin() + forbidden_;
  return std::find(used_.begin(), end, attribute) != end;
}

}  // namespace atl
