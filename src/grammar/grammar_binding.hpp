// The symbols of a grammar on the attributes of a dataset.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/grammar/grammar_definition.hpp"

namespace atl {

struct BoundSymbol {
  std::string name;
  Grammar::Definition::Kind kind = Grammar::Definition::Kind::productions;
  std::vector<Grammar::Definition::Production> productions;
  BoundRelation relation = BoundRelation::equal;
  std::vector<std::uint32_t> attributes;  ///< of a relation; ascending, never constant ones
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
