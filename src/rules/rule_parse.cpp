#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "src/core/number.hpp"
#include "src/rules/rule_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

constexpr std::string_view everything_ends = "";

struct Value {
  std::size_t position;
  std::string text;
};

/// Codes [begin, end) between two cuts of the dictionary.
struct CodeRange {
  std::uint32_t begin, end;
};

class RuleReader {
 public:
  RuleReader(std::string_view text, std::span<const Attribute> attributes,
             const std::string& source)
      : scanner_(text, source, Scanner::Comments::none), attributes_(attributes) {}

  Comparison comparison() {
    const std::uint32_t attribute = attribute_name();
    const std::size_t start = scanner_.position();
    const bool negated = scanner_.accept_keyword("not");
    if (scanner_.accept_keyword("in")) return interval(attribute, negated, start);
    if (negated) scanner_.fail(scanner_.position(), "in");
    const Relation relation = this->relation();
    const Value value = this->value();
    const CodeRange range = codes(attribute, relation, start, value);
    return make(attribute, relation == Relation::not_equal, range, start);
  }

  Expression expression() {
    std::vector<Comparison> comparisons;
    auto program =
        scan_connectives(scanner_, [this, &comparisons] { comparisons.push_back(comparison()); });
    return canonical(Expression(std::move(program), std::move(comparisons)), attributes_);
  }

  Rule rule() {
    Expression antecedent = expression();
    if (!scanner_.accept("=>")) scanner_.fail(scanner_.position(), "AND, OR or =>");
    return {std::move(antecedent), expression()};
  }

  void expect_end(const std::string& expected) {
    if (!scanner_.at_end()) scanner_.fail(scanner_.position(), expected);
  }

 private:
  std::uint32_t attribute_name() {
    const std::size_t start = scanner_.position();
    const std::string name =
        scanner_.name_or_value(relation_characters, "the name of an attribute");
    const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                    [&](const Attribute& a) { return a.name == name; });
    if (found == attributes_.end()) scanner_.fail(start, "the name of an attribute");
    if (found->distinct() == 0) scanner_.fail(start, "an attribute with values");
    return static_cast<std::uint32_t>(found - attributes_.begin());
  }

  Relation relation() {
    if (scanner_.accept("<=")) return Relation::less_equal;
    if (scanner_.accept(">=")) return Relation::greater_equal;
    if (scanner_.accept("!=")) return Relation::not_equal;
    if (scanner_.accept("<")) return Relation::less;
    if (scanner_.accept(">")) return Relation::greater;
    if (scanner_.accept("=")) return Relation::equal;
    scanner_.fail(scanner_.position(), "= != < <= > >= in or not in");
  }

  Value value() {
    const std::size_t position = scanner_.position();
    return {position, scanner_.name_or_value(everything_ends, "a value")};
  }

  Comparison interval(std::uint32_t attribute, bool negated, std::size_t start) {
    if (!scanner_.accept("[")) scanner_.fail(scanner_.position(), "'['");
    const Value low = value();
    if (!scanner_.accept(",")) scanner_.fail(scanner_.position(), "','");
    const Value high = value();
    if (!scanner_.accept("]")) scanner_.fail(scanner_.position(), "']'");
    const CodeRange range = {cut(attribute, low, false), cut(attribute, high, true)};
    return make(attribute, negated, range, start);
  }

  CodeRange codes(std::uint32_t attribute, Relation relation, std::size_t start,
                  const Value& value) {
    const Attribute& a = attributes_[attribute];
    const bool is_order = relation != Relation::equal && relation != Relation::not_equal;
    if (is_order && !a.ordered())
      scanner_.fail(start, "= or !=, since '" + a.name + "' is nominal");
    switch (relation) {
      case Relation::less:
        return {0, cut(attribute, value, false)};
      case Relation::less_equal:
        return {0, cut(attribute, value, true)};
      case Relation::greater:
        return {cut(attribute, value, true), a.distinct()};
      case Relation::greater_equal:
        return {cut(attribute, value, false), a.distinct()};
      case Relation::equal:
      case Relation::not_equal:
        break;
    }
    return {cut(attribute, value, false), cut(attribute, value, true)};
  }

  /// Number of codes below the value, or up to it.
  std::uint32_t cut(std::uint32_t attribute, const Value& value, bool include) {
    const Attribute& a = attributes_[attribute];
    if (a.kind == AttributeKind::numeric) return numeric_cut(a, value, include);
    const auto label = std::find(a.labels.begin(), a.labels.end(), value.text);
    if (label == a.labels.end()) scanner_.fail(value.position, "a value of '" + a.name + "'");
    return static_cast<std::uint32_t>(label - a.labels.begin()) + (include ? 1U : 0U);
  }

  std::uint32_t numeric_cut(const Attribute& a, const Value& value, bool include) {
    const auto number = parse_number(value.text);
    if (!number) scanner_.fail(value.position, "a number");
    const auto before = [&](const std::vector<double>& bound) {
      const auto at = include ? std::upper_bound(bound.begin(), bound.end(), *number)
                              : std::lower_bound(bound.begin(), bound.end(), *number);
      return static_cast<std::uint32_t>(at - bound.begin());
    };
    const std::uint32_t begun = before(a.low);
    const std::uint32_t ended = before(a.high);
    if (begun != ended)
      scanner_.fail(value.position, "a number that does not divide the bin [" +
                                        format_number(a.low[ended]) + ", " +
                                        format_number(a.high[ended]) + "]");
    return ended;
  }

  /// An empty range is an error, unless negated: that holds wherever there is a value.
  Comparison make(std::uint32_t attribute, bool negated, CodeRange range, std::size_t start) {
    const std::uint32_t distinct = attributes_[attribute].distinct();
    if (range.begin < range.end)
      return canonical({attribute, range.begin, range.end - 1, negated}, distinct);
    if (!negated)
      scanner_.fail(start, "a comparison that some value of '" + attributes_[attribute].name +
                               "' can satisfy");
    return {attribute, 0, distinct - 1, false};
  }

  Scanner scanner_;
  std::span<const Attribute> attributes_;
};

}  // namespace

Comparison parse_comparison(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source) {
  RuleReader reader(text, attributes, source);
  const Comparison comparison = reader.comparison();
  reader.expect_end("the end after one comparison");
  return comparison;
}

Expression parse_expression(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source) {
  RuleReader reader(text, attributes, source);
  Expression expression = reader.expression();
  reader.expect_end("AND, OR or the end");
  return expression;
}

Rule parse_rule(std::string_view text, std::span<const Attribute> attributes,
                const std::string& source) {
  RuleReader reader(text, attributes, source);
  Rule rule = reader.rule();
  reader.expect_end("AND, OR or the end");
  return rule;
}

}  // namespace atl
