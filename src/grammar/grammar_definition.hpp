// The definition that Grammar::parse makes of a text; BoundGrammar reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/grammar/grammar.hpp"
#include "src/rules/bound_relation.hpp"
#include "src/rules/scanner.hpp"

namespace atl {

/// Most symbols of a grammar. The memory of which symbol leads to which grows with their square.
inline constexpr std::size_t most_symbols = 10000;
/// Most operands of a production. A rule has at most 100 comparisons, and each operand at least
/// one.
inline constexpr std::size_t most_operands = 100;

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
