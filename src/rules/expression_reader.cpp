#include "src/rules/expression_reader.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "src/core/text/label_number.hpp"
#include "src/core/text/number.hpp"
#include "src/data/date.hpp"
#include "src/data/transactions/item_attribute.hpp"

namespace atl {
namespace {

constexpr std::string_view everything_ends = "";

/// The code of a label. Where all labels are numbers it may be written as another text of the same
/// number.
std::optional<std::uint32_t> place_of(const Attribute& a, const std::string& label) {
  const auto same = std::find(a.labels.begin(), a.labels.end(), label);
  if (same != a.labels.end()) return static_cast<std::uint32_t>(same - a.labels.begin());
  if (!label_number(label) || !are_label_numbers(a.labels)) return std::nullopt;
  const auto found = find_label(a.labels, label);
  return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
}

}  // namespace

Comparison ExpressionReader::comparison() {
  const std::uint32_t attribute = attribute_name();
  if (attributes_[attribute].item && !relation_follows()) {
    return {attribute, item_present, item_present, false};
  }
  const std::size_t start = scanner_.position();
  const bool negated = scanner_.accept_keyword("not");
  if (scanner_.accept_keyword("in")) return interval(attribute, negated, start);
  if (negated) scanner_.fail(scanner_.position(), "in");
  if (scanner_.accept_keyword("is")) return presence(attribute);
  const Relation relation = this->relation();
  const Value value = this->value();
  const CodeRange range = codes(attribute, relation, start, value);
  return make(attribute, relation == Relation::not_equal, range, start);
}

Expression ExpressionReader::expression() {
  std::vector<Comparison> comparisons;
  auto program =
      scan_connectives(scanner_, [this, &comparisons] { comparisons.push_back(comparison()); });
  Expression expression(std::move(program), std::move(comparisons));
  // Comparisons that never hold have no canonical form.
  if (unseen_ == Unseen::never_holds) return expression;
  return canonical(expression, attributes_);
}

std::optional<Comparison> ExpressionReader::mean() {
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

std::uint32_t ExpressionReader::attribute_name() {
  const std::size_t start = scanner_.position();
  const std::string name = scanner_.name_or_value(relation_characters, "the name of an attribute");
  const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                  [&](const Attribute& a) { return a.name == name; });
  if (found == attributes_.end()) scanner_.fail(start, "the name of an attribute");
  if (found->distinct() == 0 && unseen_ == Unseen::refused) {
    scanner_.fail(start, "an attribute with values");
  }
  return static_cast<std::uint32_t>(found - attributes_.begin());
}

bool ExpressionReader::relation_follows() {
  const std::size_t start = scanner_.position();
  const bool arrow = scanner_.accept("=>");
  scanner_.go_to(start);
  const std::string_view word = scanner_.peek_run({});
  return !arrow && (word == "in" || word == "not" || word == "is" ||
                    relation_characters.find(scanner_.peek()) != std::string_view::npos);
}

Relation ExpressionReader::relation() {
  if (scanner_.accept("<=")) return Relation::less_equal;
  if (scanner_.accept(">=")) return Relation::greater_equal;
  if (scanner_.accept("!=")) return Relation::not_equal;
  if (scanner_.accept("<")) return Relation::less;
  if (scanner_.accept(">")) return Relation::greater;
  if (scanner_.accept("=")) return Relation::equal;
  scanner_.fail(scanner_.position(), "= != < <= > >= in, not in, is missing or is known");
}

/// What follows `is`.
Comparison ExpressionReader::presence(std::uint32_t attribute) {
  if (scanner_.accept_keyword("missing")) return is_missing(attribute);
  if (scanner_.accept_keyword("known"))
    return is_known(attribute, attributes_[attribute].distinct());
  scanner_.fail(scanner_.position(), "missing or known");
}

ExpressionReader::Value ExpressionReader::value() {
  const std::size_t position = scanner_.position();
  return {position, scanner_.name_or_value(everything_ends, "a value")};
}

Comparison ExpressionReader::interval(std::uint32_t attribute, bool negated, std::size_t start) {
  if (!scanner_.accept("[")) scanner_.fail(scanner_.position(), "'['");
  const Value low = value();
  if (!scanner_.accept(",")) scanner_.fail(scanner_.position(), "','");
  const Value high = value();
  if (!scanner_.accept("]")) scanner_.fail(scanner_.position(), "']'");
  return make(attribute, negated, between(cut(attribute, low, false), cut(attribute, high, true)),
              start);
}

ExpressionReader::CodeRange ExpressionReader::codes(std::uint32_t attribute, Relation relation,
                                                    std::size_t start, const Value& value) {
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

/// Nothing lies between cuts if one of them has no place.
ExpressionReader::CodeRange ExpressionReader::between(std::optional<std::uint32_t> begin,
                                                      std::optional<std::uint32_t> end) {
  return begin && end ? CodeRange{*begin, *end} : CodeRange{0, 0};
}

/// Number of codes below the value, or up to it; nothing for a label that has no place among them.
std::optional<std::uint32_t> ExpressionReader::cut(std::uint32_t attribute, const Value& value,
                                                   bool include) {
  const Attribute& a = attributes_[attribute];
  if (has_numbers(a.kind)) return numeric_cut(a, value, include);
  const auto label = place_of(a, value.text);
  if (!label) {
    if (unseen_ == Unseen::refused) scanner_.fail(value.position, "a value of '" + a.name + "'");
    return unseen_cut(a, value.text);
  }
  return *label + (include ? 1U : 0U);
}

/// Number of codes below a label that is not among them.
std::optional<std::uint32_t> ExpressionReader::unseen_cut(const Attribute& a,
                                                          const std::string& label) const {
  const auto first = a.labels.begin();
  if (a.kind == AttributeKind::nominal)  // in the order of their bytes
    return static_cast<std::uint32_t>(std::lower_bound(first, a.labels.end(), label) - first);
  const auto known = std::find_if(written_for_.begin(), written_for_.end(),
                                  [&](const Attribute& other) { return other.name == a.name; });
  if (known == written_for_.end()) return std::nullopt;
  auto before = std::find(known->labels.begin(), known->labels.end(), label);
  if (before == known->labels.end()) return std::nullopt;
  while (before != known->labels.begin()) {
    const auto there = std::find(first, a.labels.end(), *--before);
    if (there != a.labels.end()) return static_cast<std::uint32_t>(there - first) + 1;
  }
  return 0;
}

/// The value as a number of the attribute's dictionary. A day is its first moment where times are.
double ExpressionReader::number(const Attribute& a, const Value& value) {
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

std::uint32_t ExpressionReader::numeric_cut(const Attribute& a, const Value& value, bool include) {
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
Comparison ExpressionReader::make(std::uint32_t attribute, bool negated, CodeRange range,
                                  std::size_t start) {
  const std::uint32_t distinct = attributes_[attribute].distinct();
  if (range.begin < range.end)
    return canonical({attribute, range.begin, range.end - 1, negated}, distinct);
  // A code beyond the dictionary, which no row has; not it holds wherever there is a value.
  if (unseen_ == Unseen::never_holds) return {attribute, distinct, distinct, negated};
  if (!negated)
    scanner_.fail(
        start, "a comparison that some value of '" + attributes_[attribute].name + "' can satisfy");
  return {attribute, 0, distinct - 1, false};
}

}  // namespace atl
