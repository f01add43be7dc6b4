#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "src/core/number.hpp"
#include "src/data/date.hpp"
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
             const std::string& source, Unseen unseen = Unseen::refused)
      : scanner_(text, source, Scanner::Comments::none), attributes_(attributes), unseen_(unseen) {}

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
    Expression expression(std::move(program), std::move(comparisons));
    // Comparisons that never hold have no canonical form.
    if (unseen_ == Unseen::never_holds) return expression;
    return canonical(expression, attributes_);
  }

  Rule rule() {
    Expression antecedent = expression();
    if (!scanner_.accept("=>")) scanner_.fail(scanner_.position(), "AND, OR or =>");
    if (const auto known = mean()) return {std::move(antecedent), Expression::of(*known)};
    return {std::move(antecedent), expression()};
  }

  void expect_end(const std::string& expected) {
    if (!scanner_.at_end()) scanner_.fail(scanner_.position(), expected);
  }

 private:
  /// mean(a) or low mean(a), if that comes next.
  std::optional<Comparison> mean() {
    const std::size_t start = scanner_.position();
    scanner_.accept_keyword("low");
    if (!scanner_.accept_keyword("mean") || !scanner_.accept("(")) {
      scanner_.go_to(start);
      return std::nullopt;
    }
    const std::uint32_t attribute = attribute_name();
    if (!scanner_.accept(")")) scanner_.fail(scanner_.position(), "')'");
    if (attributes_[attribute].kind != AttributeKind::numeric)
      scanner_.fail(start, "a numeric attribute");
    return make(attribute, false, {0, attributes_[attribute].distinct()}, start);
  }

  std::uint32_t attribute_name() {
    const std::size_t start = scanner_.position();
    const std::string name =
        scanner_.name_or_value(relation_characters, "the name of an attribute");
    const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                    [&](const Attribute& a) { return a.name == name; });
    if (found == attributes_.end()) scanner_.fail(start, "the name of an attribute");
    if (found->distinct() == 0 && unseen_ == Unseen::refused) {
      scanner_.fail(start, "an attribute with values");
    }
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
    return make(attribute, negated, between(cut(attribute, low, false), cut(attribute, high, true)),
                start);
  }

  CodeRange codes(std::uint32_t attribute, Relation relation, std::size_t start,
                  const Value& value) {
    const Attribute& a = attributes_[attribute];
    const bool is_order = relation != Relation::equal && relation != Relation::not_equal;
    if (is_order && !a.ordered())
      scanner_.fail(start, "= or !=, since '" + a.name + "' is " +
                               (a.as_labels ? "taken as labels" : "nominal"));
    switch (relation) {
      case Relation::less:
        return between(0, cut(attribute, value, false));
      case Relation::less_equal:
        return between(0, cut(attribute, value, true));
      case Relation::greater:
        return between(cut(attribute, value, true), a.distinct());
      case Relation::greater_equal:
        return between(cut(attribute, value, false), a.distinct());
      case Relation::equal:
      case Relation::not_equal:
        break;
    }
    return between(cut(attribute, value, false), cut(attribute, value, true));
  }

  /// Nothing lies between cuts if one of them is at a label that does not exist.
  static CodeRange between(std::optional<std::uint32_t> begin, std::optional<std::uint32_t> end) {
    return begin && end ? CodeRange{*begin, *end} : CodeRange{0, 0};
  }

  /// Number of codes below the value, or up to it; nothing for a label that does not exist.
  std::optional<std::uint32_t> cut(std::uint32_t attribute, const Value& value, bool include) {
    const Attribute& a = attributes_[attribute];
    if (has_numbers(a.kind)) return numeric_cut(a, value, include);
    const auto label = std::find(a.labels.begin(), a.labels.end(), value.text);
    if (label == a.labels.end()) {
      if (unseen_ == Unseen::never_holds) return std::nullopt;
      scanner_.fail(value.position, "a value of '" + a.name + "'");
    }
    return static_cast<std::uint32_t>(label - a.labels.begin()) + (include ? 1U : 0U);
  }

  /// What the value is in the attribute's dictionary. A day is its first moment where times are.
  double number(const Attribute& a, const Value& value) {
    if (is_date(a.kind)) {
      const auto moment = parse_date(value.text);
      if (moment && moment->flaw != nullptr) scanner_.fail(value.position, moment->flaw);
      if (moment && (moment->kind == a.kind || moment->kind == AttributeKind::date)) {
        return moment->microseconds;
      }
      scanner_.fail(value.position, expected_date(a.kind));
    }
    const auto number = parse_number(value.text);
    if (!number) scanner_.fail(value.position, "a number");
    return *number;
  }

  std::uint32_t numeric_cut(const Attribute& a, const Value& value, bool include) {
    const double number = this->number(a, value);
    const auto before = [&](const std::vector<double>& bound) {
      const auto at = include ? std::upper_bound(bound.begin(), bound.end(), number)
                              : std::lower_bound(bound.begin(), bound.end(), number);
      return static_cast<std::uint32_t>(at - bound.begin());
    };
    const std::uint32_t begun = before(a.low);
    const std::uint32_t ended = before(a.high);
    if (begun != ended)
      scanner_.fail(value.position, std::string(is_date(a.kind) ? "a date" : "a number") +
                                        " that does not divide the bin [" +
                                        value_text(a.low[ended], a.kind) + ", " +
                                        value_text(a.high[ended], a.kind) + "]");
    return ended;
  }

  /// An empty range is an error, unless negated: that holds wherever there is a value.
  Comparison make(std::uint32_t attribute, bool negated, CodeRange range, std::size_t start) {
    const std::uint32_t distinct = attributes_[attribute].distinct();
    if (range.begin < range.end)
      return canonical({attribute, range.begin, range.end - 1, negated}, distinct);
    // A code beyond the dictionary, which no row has; not it holds wherever there is a value.
    if (unseen_ == Unseen::never_holds) return {attribute, distinct, distinct, negated};
    if (!negated)
      scanner_.fail(start, "a comparison that some value of '" + attributes_[attribute].name +
                               "' can satisfy");
    return {attribute, 0, distinct - 1, false};
  }

  Scanner scanner_;
  std::span<const Attribute> attributes_;
  Unseen unseen_;
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
                const std::string& source, Unseen unseen) {
  RuleReader reader(text, attributes, source, unseen);
  Rule rule = reader.rule();
  reader.expect_end("AND, OR or the end");
  return rule;
}

}  // namespace atl
