// Grammars: refused with a reason, or good for derivations that they accept, changed or not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "src/core/error.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/rules/rule_text.hpp"

namespace {

std::vector<atl::Attribute> make_table() {
  std::vector<atl::Attribute> table(5);
  table[0].name = "age";
  table[0].low = table[0].high = {17, 30, 41, 90};
  table[1].name = "b";
  table[1].kind = atl::AttributeKind::nominal;
  table[1].labels = {"x", "y", "z"};
  table[1].has_missing = true;
  table[2].name = "c";
  table[2].kind = atl::AttributeKind::ordinal;
  table[2].labels = {"low", "high"};
  table[3].name = "constant";
  table[3].kind = atl::AttributeKind::nominal;
  table[3].labels = {"only"};
  table[4].name = "item";
  table[4].low = table[4].high = {0, 1};
  for (atl::Attribute& attribute : table) {
    attribute.exact_distinct = attribute.distinct();
    attribute.counts.assign(attribute.distinct(), 3);
  }
  return table;
}

const std::vector<atl::Attribute> table = make_table();

void check(const atl::BoundGrammar& grammar, const atl::Derivation& derivation) {
  if (!grammar.accepts(derivation)) std::abort();
  const atl::Rule rule = grammar.rule(derivation);
  if (!atl::sides_disjoint(rule)) std::abort();
  if (atl::parse_rule(atl::to_text(rule, table), table, "print") != rule) std::abort();
}

void derive_and_change(std::string_view text, bool absences) {
  atl::BoundAim aim;
  aim.absences = absences;
  const atl::BoundGrammar grammar(atl::Grammar::parse(text, "fuzz"), table, 5, aim);
  atl::RandomStream stream({text.size(), 0, 0, 0, atl::Purpose::test});
  atl::Derivation derivation = grammar.derive(stream);
  check(grammar, derivation);
  for (int i = 0; i < 8; ++i) {
    const std::size_t node = stream.below(derivation.size());
    grammar.rederive(derivation, node, stream);
    check(grammar, derivation);
    grammar.grow(derivation, stream.below(derivation.size()), stream);
    check(grammar, derivation);
    grammar.shrink(derivation, stream.below(derivation.size()), stream);
    check(grammar, derivation);
    grammar.perturb(derivation, grammar.comparison_nodes(derivation)[0], stream);
    check(grammar, derivation);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool absences : {true, false}) {
    try {
      derive_and_change(text, absences);
    } catch (const atl::BadData&) {
    }
  }
  return 0;
}
