// What Grammar::parse makes of a text; BoundGrammar reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/rules/bound_relation.hpp"
#include "src/rules/grammar.hpp"
#include "src/rules/scanner.hpp"

namespace atl {

struct Grammar::Definition {
  enum class Kind : std::uint8_t { productions, relation, literal };

  /// Postfix programs over the children in order, Op::comparison for each. Only the start symbol
  /// has a consequent.
  struct Production {
    std::vector<std::uint32_t> children;
    std::vector<Op> antecedent, consequent;
  };
  struct AttributeName {
    std::string name;
    TextPlace place;
    friend bool operator==(const AttributeName& a, const AttributeName& b) {
      return a.name == b.name;
    }
  };
  struct Symbol {
    std::string name;  ///< as written; of a literal its comparison
    Kind kind = Kind::productions;
    TextPlace place;  ///< first mention
    std::vector<Production> productions;
    BoundRelation relation = BoundRelation::equal;
    bool all_but = false;
    std::vector<AttributeName> names;  ///< none: every attribute
  };

  std::string source;
  std::vector<Symbol> symbols;  ///< [0] is the start
};

}  // namespace atl
