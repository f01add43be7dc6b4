// The table and the grammar that the seeds of corpus/run_state are of.
#pragma once

#include <vector>

#include "src/grammar/grammar.hpp"

namespace atl::fuzz {

inline std::vector<Attribute> make_table() {
  std::vector<Attribute> table(3);
  table[0].name = "age";
  table[0].low = table[0].high = {17, 30, 41, 90};
  table[1].name = "b";
  table[1].kind = AttributeKind::nominal;
  table[1].labels = {"x", "y", "z"};
  table[1].has_missing = true;
  table[2].name = "c";
  table[2].kind = AttributeKind::ordinal;
  table[2].labels = {"low", "high"};
  for (Attribute& attribute : table) {
    attribute.exact_distinct = attribute.distinct();
    attribute.counts.assign(attribute.distinct(), 3);
  }
  return table;
}

inline const std::vector<Attribute> table = make_table();
inline const BoundGrammar grammar(Grammar::parse(Grammar::builtin("association-full"),
                                                 "association-full"),
                                  table, 4);

}  // namespace atl::fuzz
