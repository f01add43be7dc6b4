// The symbols of a grammar on the attributes of a dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/grammar/grammar_definition.hpp"

namespace atl {

/// Works out what is known of each symbol of a grammar from what is known of its children. Calls
/// `update(symbol)` for every symbol, and again for those with a child whose update returned true,
/// until none does.
/// @param symbols  [symbol] with productions that have children
template <typename Symbols, typename Update>
void update_until_settled(const Symbols& symbols, Update update) {
  std::vector<std::vector<std::uint32_t>> parents(symbols.size());
  std::deque<std::uint32_t> open;
  for (std::uint32_t s = 0; s < symbols.size(); ++s) {
    open.push_front(s);  // children mostly stand behind their parents
    for (const auto& production : symbols[s].productions)
      for (const std::uint32_t child : production.children) {
        auto& of_child = parents[child];
        if (of_child.empty() || of_child.back() != s) of_child.push_back(s);
      }
  }
  std::vector<bool> is_open(symbols.size(), true);
  while (!open.empty()) {
    const std::uint32_t symbol = open.front();
    open.pop_front();
    is_open[symbol] = false;
    if (!update(symbol)) continue;
    for (const std::uint32_t parent : parents[symbol]) {
      if (is_open[parent]) continue;
      is_open[parent] = true;
      open.push_back(parent);
    }
  }
}

/// Tells which symbols of a grammar derive something with which others in it; each with itself.
/// Takes time in proportion to the children of all symbols, and to the symbols' square by 64 at
/// most for each.
class GrammarReach {
 public:
  GrammarReach() = default;
  /// @param children  [symbol] those of its productions
  explicit GrammarReach(const std::vector<std::vector<std::uint32_t>>& children);

  bool operator()(std::size_t from, std::size_t to) const noexcept {
    return (rows_[component_[from]][to / 64] >> (to % 64) & 1) != 0;
  }

 private:
  std::vector<std::uint32_t> component_;          // [symbol] of those that reach each other
  std::vector<std::vector<std::uint64_t>> rows_;  // [component] a bit for each symbol
};

struct BoundSymbol {
  std::string name;
  Grammar::Definition::Kind kind = Grammar::Definition::Kind::productions;
  std::vector<Grammar::Definition::Production> productions;
  BoundRelation relation = BoundRelation::equal;
  /// Of a relation; ascending. Never constant ones, but of `missing` and `known` those with missing
  /// values.
  std::vector<std::uint32_t> attributes;
  Comparison literal;
  /// Number of the group that the symbol is in. Attributes of a group are drawn alike: one that
  /// suits several relations has that much less weight in each.
  std::uint32_t group = 0;
  bool absences = true;  ///< a relation's: it may say only that something is absent
};

/// [0] is the start. @throws BadCell for unknown attributes and values
std::vector<BoundSymbol> bind(const Grammar::Definition& definition,
                              std::span<const Attribute> attributes);

/// Number of the production's children that belong to the antecedent, which come first.
std::uint32_t antecedent_children(const Grammar::Definition::Production& production) noexcept;

}  // namespace atl
