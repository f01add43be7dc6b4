#include <cassert>
#include <utility>
#include <vector>

#include "src/data/date.hpp"
#include "src/rules/rule_text.hpp"
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

}  // namespace

Condition to_condition(const Comparison& c, const Attribute& attribute) {
  const bool numeric = has_numbers(attribute.kind);
  const std::uint32_t last = attribute.distinct() - 1;
  const auto least = [&](std::uint32_t code) {
    return numeric ? value_text(attribute.low[code], attribute.kind) : attribute.labels[code];
  };
  const auto greatest = [&](std::uint32_t code) {
    return numeric ? value_text(attribute.high[code], attribute.kind) : attribute.labels[code];
  };
  const bool one_value =
      c.low == c.high && (!numeric || attribute.low[c.low] == attribute.high[c.low]);
  if (one_value) return {c.negated ? "!=" : "=", {least(c.low)}};
  if (!c.negated && (c.low == 0) != (c.high == last)) {
    if (attribute.ordered()) {
      if (c.low == 0) return {"<=", {greatest(c.high)}};
      return {">", {greatest(c.low - 1)}};
    }
    if (c.low <= 1 && c.high + 1 >= last) return {"!=", {least(c.low == 0 ? last : 0)}};
  }
  return {c.negated ? "not in" : "in", {least(c.low), greatest(c.high)}};
}

std::string to_text(const Comparison& comparison, std::span<const Attribute> attributes) {
  const Attribute& attribute = attributes[comparison.attribute];
  const Condition condition = to_condition(comparison, attribute);
  const auto value = [&](const std::string& text) {
    return has_numbers(attribute.kind) ? text : quoted_if_needed(text, "");
  };
  std::string out = quoted_if_needed(attribute.name, relation_characters) + " ";
  out.append(condition.relation).append(" ");
  if (condition.values.size() == 1) return out + value(condition.values[0]);
  out.append("[").append(value(condition.values[0])).append(", ");
  return out + value(condition.values[1]) + "]";
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

std::pair<std::string_view, std::string_view> sides_of(std::string_view rule) noexcept {
  constexpr std::string_view arrow = " => ";
  bool quoted = false;
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (quoted && rule[i] == '\\') {
      ++i;
    } else if (rule[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && rule.substr(i).starts_with(arrow)) {
      return {rule.substr(0, i), rule.substr(i + arrow.size())};
    }
  }
  return {rule, {}};
}

}  // namespace atl
