#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "src/core/error.hpp"
#include "src/grammar/grammar_definition.hpp"

namespace atl {
namespace {

using Definition = Grammar::Definition;
using Kind = Definition::Kind;

struct RelationName {
  std::string_view name;
  BoundRelation relation;
};
constexpr std::array<RelationName, 7> relation_names{{{"equal", BoundRelation::equal},
                                                      {"not_equal", BoundRelation::not_equal},
                                                      {"less_equal", BoundRelation::less_equal},
                                                      {"greater", BoundRelation::greater},
                                                      {"interval", BoundRelation::interval},
                                                      {"missing", BoundRelation::missing},
                                                      {"known", BoundRelation::known}}};

constexpr std::string_view symbol_ends = "<>=!";
constexpr std::string_view attribute_ends = "<>=!";

class GrammarReader {
 public:
  GrammarReader(std::string_view text, const std::string& source)
      : scanner_(text, source, Scanner::Comments::hash) {
    definition_.source = source;
  }

  Definition read() {
    if (!next_is_definition()) scanner_.fail(scanner_.position(), "<symbol> ::= ...");
    while (!scanner_.at_end()) define();
    resolve();
    return std::move(definition_);
  }

 private:
  void define() {
    const std::size_t start = scanner_.position();
    const std::uint32_t symbol = mention();
    if (!definition_.symbols[symbol].productions.empty())
      scanner_.fail(start, "a symbol that is not defined yet");
    if (!scanner_.accept("::=")) scanner_.fail(scanner_.position(), "::=");
    do {
      Definition::Production read = production(symbol == 0);
      definition_.symbols[symbol].productions.push_back(std::move(read));
    } while (scanner_.accept("|"));
    if (!scanner_.at_end() && !next_is_definition())
      scanner_.fail(scanner_.position(), symbol == 0
                                             ? "AND, OR, '|' or the next <symbol> ::="
                                             : "AND, OR, '|' or the next <symbol> ::= (only the "
                                               "first symbol may contain =>)");
  }

  Definition::Production production(bool is_start) {
    Definition::Production production;
    const auto operand = [&] {
      const std::size_t start = scanner_.position();
      production.children.push_back(this->operand());
      if (production.children.size() > most_operands)
        scanner_.fail(start, "at most " + std::to_string(most_operands) +
                                 " symbols and comparisons in a production");
    };
    production.antecedent = scan_connectives(scanner_, operand);
    if (!is_start) return production;
    if (!scanner_.accept("=>"))
      scanner_.fail(scanner_.position(), "AND, OR or =>, for the first symbol is the rule");
    production.consequent = scan_connectives(scanner_, operand);
    return production;
  }

  std::uint32_t operand() {
    const std::size_t start = scanner_.position();
    if (scanner_.peek() == '"') {
      Definition::Symbol literal;
      literal.name = scanner_.name_or_value("", "a comparison in double quotes");
      literal.kind = Kind::literal;
      literal.place = scanner_.place(start);
      return add(std::move(literal));
    }
    if (scanner_.peek() != '<' || next_is_definition())
      scanner_.fail(start, "<symbol>, a comparison in double quotes, NOT or '('");
    const std::uint32_t symbol = mention();
    if (symbol == 0) scanner_.fail(start, "a symbol other than the first, which is the rule");
    return symbol;
  }

  /// `<name>` or `<name(attributes)>`.
  std::uint32_t mention() {
    Definition::Symbol symbol;
    const std::size_t start = scanner_.position();
    symbol.place = scanner_.place(start);
    if (!scanner_.accept("<")) scanner_.fail(start, "<symbol>");
    symbol.name = scanner_.peek_run(symbol_ends);
    if (symbol.name.empty()) scanner_.fail(scanner_.position(), "the name of a symbol");
    scanner_.go_to(scanner_.position() + symbol.name.size());
    if (scanner_.accept("(")) read_attributes(symbol, start);
    if (!scanner_.accept(">")) scanner_.fail(scanner_.position(), "'>'");

    return add(std::move(symbol));
  }

  void read_attributes(Definition::Symbol& symbol, std::size_t start) {
    const auto relation = relation_of(symbol.name);
    if (!relation) scanner_.fail(start, "one of " + known_relations() + " before '('");
    symbol.kind = Kind::relation;
    symbol.relation = *relation;
    symbol.all_but = scanner_.accept("!");
    do {
      const TextPlace place = scanner_.place(scanner_.position());
      symbol.names.push_back(
          {scanner_.name_or_value(attribute_ends, "the name of an attribute"), place});
    } while (scanner_.accept(","));
    if (!scanner_.accept(")")) scanner_.fail(scanner_.position(), "',' or ')'");
  }

  bool next_is_definition() {
    const std::size_t start = scanner_.position();
    bool is_definition = false;
    if (scanner_.accept("<")) {
      const std::size_t length = scanner_.peek_run(symbol_ends).size();
      scanner_.go_to(scanner_.position() + length);
      is_definition = length > 0 && scanner_.accept(">") && scanner_.accept("::=");
    }
    scanner_.go_to(start);
    return is_definition;
  }

  /// The symbol that is written so, added if it is new.
  std::uint32_t add(Definition::Symbol symbol) {
    auto& symbols = definition_.symbols;
    std::vector<std::string> names;
    for (const Definition::AttributeName& name : symbol.names) names.push_back(name.name);
    const auto [found, is_new] =
        numbers_.try_emplace({symbol.kind, symbol.all_but, symbol.name, std::move(names)},
                             static_cast<std::uint32_t>(symbols.size()));
    if (is_new && symbols.size() == most_symbols)
      throw BadCell(
          definition_.source, symbol.place.line, symbol.place.column, symbol.name,
          "at most " + std::to_string(most_symbols) + " symbols and comparisons in a grammar");
    if (is_new) symbols.push_back(std::move(symbol));
    return found->second;
  }

  /// Symbols without a definition are those bound to the data, or mistakes.
  void resolve() {
    for (Definition::Symbol& symbol : definition_.symbols) {
      if (symbol.kind != Kind::productions || !symbol.productions.empty()) continue;
      const auto relation = relation_of(symbol.name);
      if (!relation)
        throw BadCell(definition_.source, symbol.place.line, symbol.place.column,
                      "<" + symbol.name + ">",
                      "a symbol defined in the grammar or one of " + known_relations());
      symbol.kind = Kind::relation;
      symbol.relation = *relation;
    }
  }

  static std::optional<BoundRelation> relation_of(std::string_view name) {
    for (const RelationName& known : relation_names)
      if (known.name == name) return known.relation;
    return std::nullopt;
  }

  static std::string known_relations() {
    std::string list;
    for (const RelationName& known : relation_names)
      list += (list.empty() ? "<" : ", <") + std::string(known.name) + ">";
    return list;
  }

  using Key = std::tuple<Kind, bool, std::string, std::vector<std::string>>;

  Scanner scanner_;
  Definition definition_;
  std::map<Key, std::uint32_t> numbers_;  ///< of symbols, by all but their place
};

constexpr std::string_view association = R"(# What follows from a conjunction.
<rule>       ::= <side> => <comparison>
<side>       ::= <comparison> | <side> AND <side>
<comparison> ::= <equal> | <less_equal> | <greater> | <interval>
)";

constexpr std::string_view association_full = R"(# Any logic on both sides.
<rule>       ::= <side> => <side>
<side>       ::= <term> | <side> AND <side> | ( <side> OR <side> )
<term>       ::= <comparison> | NOT <comparison>
<comparison> ::= <equal> | <not_equal> | <less_equal> | <greater> | <interval>
)";

}  // namespace

Grammar Grammar::parse(std::string_view text, const std::string& source) {
  expect_known_line_ends(text, source);
  Grammar grammar;
  grammar.definition_ = std::make_shared<const Definition>(GrammarReader(text, source).read());
  return grammar;
}

std::string_view Grammar::builtin(std::string_view name) {
  if (name == "association") return association;
  if (name == "association-full") return association_full;
  throw UsageError("unknown grammar '" + printable(std::string(name)) +
                   "', known: association, association-full");
}

}  // namespace atl
