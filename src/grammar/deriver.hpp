// Draws subtrees of derivations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/grammar/grammar_tables.hpp"

namespace atl {

/// Position of the consequent's first node.
inline std::size_t consequent_begin(const GrammarTables& tables,
                                    const Derivation& derivation) noexcept {
  const auto& start = tables.symbols[0].productions[derivation[0].production];
  std::size_t node = 1;
  for (std::uint32_t i = 0; i < start.antecedent_children; ++i) node += derivation[node].size;
  return node;
}

/// Is there an attribute that comparisons of both name?
inline bool shares_attribute(const GrammarTables& tables, std::span<const DerivationNode> a,
                             std::span<const DerivationNode> b) noexcept {
  return std::any_of(a.begin(), a.end(), [&](const DerivationNode& x) {
    return tables.is_leaf(x.symbol) &&
           std::any_of(b.begin(), b.end(), [&](const DerivationNode& y) {
             return tables.is_leaf(y.symbol) && y.comparison.attribute == x.comparison.attribute;
           });
  });
}

/// Appends to one derivation. After a call that returned false it must be restarted.
class Deriver {
 public:
  /// @param out     emptied
  /// @param used    attributes of the other side, never taken, then of this side, taken only if no
  ///                other fits
  /// @param others  of these, of the other side
  Deriver(const GrammarTables& tables, RandomStream& stream, Derivation& out,
          std::span<const std::uint32_t> used = {}, std::size_t others = 0)
      : tables_(tables),
        stream_(stream),
        out_(out),
        used_(used),
        given_(used.size()),
        others_(others) {
    restart();
  }
  /// Makes it as it was at first.
  void restart() noexcept {
    out_.clear();
    used_.truncate(used_.begin() + given_);
    forbidden_ = others_;
  }

  /// Number of comparisons of a new subtree, at most `limit`; 0 if the symbol needs more.
  std::uint32_t draw_size(std::uint32_t symbol, std::uint32_t limit);
  /// A subtree with exactly `size` comparisons. @pre size is one of the symbol's
  bool derive(std::uint32_t symbol, std::uint32_t size);
  /// A new subtree of the symbol with `inner`, of the same symbol, somewhere below its root, and
  /// at most `budget` comparisons besides.
  bool embed(std::uint32_t symbol, std::span<const DerivationNode> inner, std::uint32_t budget);

 private:
  struct Edge {
    std::uint32_t production, child;
  };

  bool derive_leaf(std::uint32_t symbol);
  bool derive_children(const GrammarTables::Production& production, std::uint32_t size);
  std::uint32_t draw_split(const GrammarTables::Production& production, std::size_t child,
                           std::uint32_t size);
  bool draw_attribute(const WeightedChoice& attributes, std::uint32_t& attribute);
  bool embed_in(std::uint32_t symbol, std::span<const DerivationNode> inner, std::uint32_t& budget);
  using Edges = SmallVector<Edge, 8>;

  Edges edges_towards(std::uint32_t symbol, std::uint32_t target, std::uint32_t budget) const;
  bool is_used(std::uint32_t attribute) const noexcept;
  bool is_forbidden(std::uint32_t attribute) const noexcept;

  const GrammarTables& tables_;
  RandomStream& stream_;
  Derivation& out_;
  SmallVector<std::uint32_t, 16> used_;  // attributes; the first forbidden_ are the other side's
  std::size_t forbidden_ = 0;
  const std::size_t given_, others_;  // of used_ and forbidden_ at first
};

}  // namespace atl
