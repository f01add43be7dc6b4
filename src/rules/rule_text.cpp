#include "src/rules/rule_text.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "src/core/text/number.hpp"
#include "src/data/date.hpp"
#include "src/data/transactions/item_attribute.hpp"
#include "src/rules/expression_reader.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

enum class Precedence { disjunction, conjunction, atom };

struct Phrase {
  std::string text;
  Precedence precedence;
};

void parenthesise(Phrase& phrase, Precedence within) {
  if (phrase.precedence >= within) return;
  phrase.text = "(" + phrase.text + ")";
}

void join(Phrase& left, Phrase right, const char* connective, Precedence precedence) {
  parenthesise(left, precedence);
  parenthesise(right, precedence);
  left.text += connective + right.text;
  left.precedence = precedence;
}

/// The values of codes, and the bounds between them.
class Values {
 public:
  Values(const Attribute& attribute, WrittenBounds bounds)
      : attribute_(attribute),
        numbers_(has_numbers(attribute.kind)),
        short_(bounds != WrittenBounds::at_values && attribute.kind == AttributeKind::numeric &&
               attribute.ordered()),
        midway_(short_ && bounds == WrittenBounds::midway) {}

  bool midway() const noexcept { return midway_; }
  /// Is the code written as one value?
  bool is_one(std::uint32_t code) const {
    constexpr int most_digits = 15;  // which every decimal of a file keeps
    return !numbers_ || (attribute_.low[code] == attribute_.high[code] &&
                         (!short_ || digits_of(attribute_.low[code]) <= most_digits));
  }
  std::string least_of(std::uint32_t code) const {
    return numbers_ ? value_text(attribute_.low[code], attribute_.kind) : attribute_.labels[code];
  }
  /// The lower bound of this code and those above.
  std::string lower_bound(std::uint32_t code) const {
    if (!short_) return least_of(code);
    const double own = attribute_.low[code];
    if (code == 0) return outer(own, own - outside());
    return between(own, attribute_.high[code - 1]);
  }
  /// The upper bound of this code and those below.
  std::string upper_bound(std::uint32_t code) const {
    if (!numbers_) return attribute_.labels[code];
    const double own = attribute_.high[code];
    if (!short_) return value_text(own, attribute_.kind);
    if (code + 1 == attribute_.distinct()) return outer(own, own + outside());
    return between(own, attribute_.low[code + 1]);
  }

 private:
  /// The distance beyond the least and the greatest value up to which a bound may lie.
  double outside() const { return attribute_.high.back() / 100 - attribute_.low.front() / 100; }
  std::string outer(double own, double limit) const {
    return format_number(std::isfinite(limit) ? short_bound(own, limit) : own);
  }
  std::string between(double own, double neighbour) const {
    if (!midway_) return format_number(short_bound(own, neighbour));
    const auto middle = short_middle(std::min(own, neighbour), std::max(own, neighbour));
    return format_number(middle.value_or(own));
  }

  const Attribute& attribute_;
  bool numbers_;
  bool short_;
  bool midway_;
};

void expect_end(Scanner& scanner, const std::string& expected) {
  if (!scanner.at_end()) scanner.fail(scanner.position(), expected);
}

}  // namespace

Condition to_condition(const Comparison& c, const Attribute& attribute, WrittenBounds bounds) {
  if (asks_missing(c)) return {"is missing", {}};
  if (attribute.has_missing && asks_known(c, attribute.distinct())) return {"is known", {}};
  const Values values(attribute, bounds);
  const std::uint32_t last = attribute.distinct() - 1;
  const bool one_sided = !c.negated && (c.low == 0) != (c.high == last);
  const bool one_value = c.low == c.high && values.is_one(c.low);
  if (one_value && !(one_sided && values.midway() && last > 1))
    return {c.negated ? "!=" : "=", {values.least_of(c.low)}};
  if (one_sided) {
    if (attribute.ordered()) {
      if (c.low == 0) return {"<=", {values.upper_bound(c.high)}};
      return {">", {values.upper_bound(c.low - 1)}};
    }
    if (c.low <= 1 && c.high + 1 >= last) return {"!=", {values.least_of(c.low == 0 ? last : 0)}};
  }
  return {c.negated ? "not in" : "in", {values.lower_bound(c.low), values.upper_bound(c.high)}};
}

std::string to_text(const Comparison& comparison, std::span<const Attribute> attributes,
                    WrittenBounds bounds) {
  const Attribute& attribute = attributes[comparison.attribute];
  std::string out = quoted_if_needed(attribute.name, relation_characters);
  if (attribute.item && !comparison.negated && comparison.low == item_present) return out;
  const Condition condition = to_condition(comparison, attribute, bounds);
  const auto value = [&](const std::string& text) {
    return has_numbers(attribute.kind) ? text : quoted_if_needed(text, "");
  };
  out.append(" ").append(condition.relation);
  if (condition.values.empty()) return out;
  out += " ";
  if (condition.values.size() == 1) return out + value(condition.values[0]);
  out.append("[").append(value(condition.values[0])).append(", ");
  return out + value(condition.values[1]) + "]";
}

std::string to_text(const Expression& expression, std::span<const Attribute> attributes,
                    WrittenBounds bounds) {
  assert(!expression.empty());
  std::vector<Phrase> stack;
  auto next = expression.comparisons().begin();
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      stack.push_back({to_text(*next++, attributes, bounds), Precedence::atom});
    } else if (op == Op::negation) {
      stack.back() = {"NOT (" + stack.back().text + ")", Precedence::atom};
    } else {
      Phrase right = std::move(stack.back());
      stack.pop_back();
      if (op == Op::conjunction)
        join(stack.back(), std::move(right), " AND ", Precedence::conjunction);
      else
        join(stack.back(), std::move(right), " OR ", Precedence::disjunction);
    }
  }
  return std::move(stack.back().text);
}

std::string to_text(const Rule& rule, std::span<const Attribute> attributes) {
  return to_text(rule.antecedent, attributes) + " => " + to_text(rule.consequent, attributes);
}

std::size_t find_unquoted(std::string_view text, std::span<const std::string_view> words,
                          std::size_t from) noexcept {
  bool quoted = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      for (const std::string_view word : words) {
        if (text.substr(i).starts_with(word)) return i;
      }
    }
  }
  return text.size();
}

std::pair<std::string_view, std::string_view> sides_of(std::string_view rule) noexcept {
  constexpr std::string_view arrow = " => ";
  const std::size_t at = find_unquoted(rule, {&arrow, 1});
  if (at == rule.size()) return {rule, {}};
  return {rule.substr(0, at), rule.substr(at + arrow.size())};
}

Comparison parse_comparison(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source) {
  Scanner scanner(text, source, Scanner::Comments::none);
  const Comparison comparison = ExpressionReader(scanner, attributes, Unseen::refused).comparison();
  expect_end(scanner, "the end after one comparison");
  return comparison;
}

Expression parse_expression(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source) {
  Scanner scanner(text, source, Scanner::Comments::none);
  Expression expression = ExpressionReader(scanner, attributes, Unseen::refused).expression();
  expect_end(scanner, "AND, OR or the end");
  return expression;
}

Rule parse_rule(std::string_view text, std::span<const Attribute> attributes,
                const std::string& source, Unseen unseen) {
  Scanner scanner(text, source, Scanner::Comments::none);
  ExpressionReader reader(scanner, attributes, unseen);
  Expression antecedent = reader.expression();
  if (!scanner.accept("=>")) scanner.fail(scanner.position(), "AND, OR or =>");
  const auto mean = reader.mean();
  Rule rule{std::move(antecedent), mean ? Expression::of(*mean) : reader.expression()};
  expect_end(scanner, "AND, OR or the end");
  return rule;
}

}  // namespace atl
