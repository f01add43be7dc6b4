#include <cassert>
#include <utility>
#include <vector>

#include "src/core/number.hpp"
#include "src/rules/rule_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

bool is_numeric(const Attribute& attribute) noexcept {
  return attribute.kind == AttributeKind::numeric;
}

std::string least(const Attribute& attribute, std::uint32_t code) {
  if (is_numeric(attribute)) return format_number(attribute.low[code]);
  return quoted_if_needed(attribute.labels[code], "");
}

std::string greatest(const Attribute& attribute, std::uint32_t code) {
  if (is_numeric(attribute)) return format_number(attribute.high[code]);
  return quoted_if_needed(attribute.labels[code], "");
}

/// `= 3`, `in [1, 2]`, ...
std::string condition(const Comparison& c, const Attribute& attribute) {
  const std::uint32_t last = attribute.distinct() - 1;
  const bool one_code = c.low == c.high;
  const bool one_value =
      one_code && (!is_numeric(attribute) || attribute.low[c.low] == attribute.high[c.low]);
  if (one_value) return (c.negated ? "!= " : "= ") + least(attribute, c.low);
  if (!c.negated && (c.low == 0) != (c.high == last)) {
    if (attribute.ordered())
      return c.low == 0 ? "<= " + greatest(attribute, c.high)
                        : "> " + greatest(attribute, c.low - 1);
    if (c.low <= 1 && c.high + 1 >= last) return "!= " + least(attribute, c.low == 0 ? last : 0);
  }
  return (c.negated ? "not in [" : "in [") + least(attribute, c.low) + ", " +
         greatest(attribute, c.high) + "]";
}

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

}  // namespace

std::string to_text(const Comparison& comparison, std::span<const Attribute> attributes) {
  const Attribute& attribute = attributes[comparison.attribute];
  return quoted_if_needed(attribute.name, relation_characters) + " " +
         condition(comparison, attribute);
}

std::string to_text(const Expression& expression, std::span<const Attribute> attributes) {
  assert(!expression.empty());
  std::vector<Phrase> stack;
  auto next = expression.comparisons().begin();
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      stack.push_back({to_text(*next++, attributes), Precedence::atom});
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

}  // namespace atl
