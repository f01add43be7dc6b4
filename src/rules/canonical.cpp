// The canonical form of expressions: negation normal form over literals, AND and OR of any number
// of operands, simplified from the leaves up.
#include "src/rules/canonical.hpp"

#include <algorithm>
#include <compare>
#include <iterator>
#include <utility>
#include <vector>

namespace atl {
namespace {

/// A comparison, or its two-valued negation where that cannot be a comparison (missing values).
struct Literal {
  Comparison comparison;
  bool inverted = false;
  friend auto operator<=>(const Literal&, const Literal&) = default;
};

using Literals = SmallVector<Literal, 6>;

/// AND or OR of its operands, or their negation; a lone literal under either op stands for itself.
struct Junction {
  Op op = Op::conjunction;
  bool inverted = false;
  Literals literals;
  std::vector<Junction> junctions;

  std::size_t operands() const noexcept { return literals.size() + junctions.size(); }
  friend bool operator==(const Junction& a, const Junction& b) noexcept {
    return a.op == b.op && a.literals == b.literals && a.junctions == b.junctions;
  }
  friend bool operator<(const Junction& a, const Junction& b) noexcept {
    if (a.op != b.op) return a.op < b.op;
    if (a.literals != b.literals) return a.literals < b.literals;
    return std::lexicographical_compare(a.junctions.begin(), a.junctions.end(), b.junctions.begin(),
                                        b.junctions.end());
  }
};

/// Can text say it without an order of the labels? Everything else is left unmerged.
bool has_plain_text(const Comparison& interval, const Attribute& attribute) noexcept {
  if (attribute.ordered() || interval.low == interval.high) return true;
  return interval.high - interval.low + 2 == attribute.distinct();
}

/// Replaces all intervals on one attribute by their intersection, if there is one.
/// @param literals  sorted, without duplicates; the literals that come first belong to an AND
void intersect(Literals& literals, std::span<const Attribute> attributes) {
  const auto is_interval = [](const Literal& literal) {
    return !literal.inverted && !literal.comparison.negated;
  };
  bool changed = false;
  for (std::size_t first = 0, last = 0; first < literals.size(); first = last) {
    const std::uint32_t attribute = literals[first].comparison.attribute;
    Comparison common{attribute, 0, attributes[attribute].distinct() - 1, false};
    std::size_t intervals = 0;
    for (last = first; last < literals.size() && literals[last].comparison.attribute == attribute;
         ++last) {
      if (!is_interval(literals[last])) continue;
      common.low = std::max(common.low, literals[last].comparison.low);
      common.high = std::min(common.high, literals[last].comparison.high);
      ++intervals;
    }
    if (intervals < 2 || common.low > common.high) continue;
    if (!has_plain_text(common, attributes[attribute])) continue;
    for (std::size_t i = first; i < last; ++i)
      if (is_interval(literals[i])) literals[i].comparison = common;
    changed = true;
  }
  if (!changed) return;
  std::sort(literals.begin(), literals.end());
  literals.truncate(std::unique(literals.begin(), literals.end()));
}

void simplify_literals(Op op, Literals& literals, std::span<const Attribute> attributes) {
  std::sort(literals.begin(), literals.end());
  literals.truncate(std::unique(literals.begin(), literals.end()));
  if (op == Op::conjunction) intersect(literals, attributes);
}

Literal simplify_literal(Literal literal, bool inverted, std::span<const Attribute> attributes) {
  const Attribute& attribute = attributes[literal.comparison.attribute];
  literal.inverted = literal.inverted != inverted;
  const bool known = asks_known(literal.comparison, attribute.distinct());
  if (literal.inverted && attribute.has_missing && known) {
    return {is_missing(literal.comparison.attribute), false};
  }
  if (literal.inverted && (!attribute.has_missing || asks_missing(literal.comparison))) {
    literal.comparison.negated = !literal.comparison.negated;
    literal.inverted = false;
  }
  literal.comparison = canonical(literal.comparison, attributes);
  return literal;
}

/// Takes over an operand's operands if it is of the same connective, or has but one.
void absorb(Junction& to, Junction operand) {
  if (operand.op != to.op && operand.operands() != 1) {
    to.junctions.push_back(std::move(operand));
    return;
  }
  to.literals.append(operand.literals);
  std::move(operand.junctions.begin(), operand.junctions.end(), std::back_inserter(to.junctions));
}

/// Negation normal form, flattened: nothing is inverted but literals.
Junction normalise(const Junction& from, bool inverted, std::span<const Attribute> attributes) {
  inverted = inverted != from.inverted;
  Junction to;
  to.op = from.op;
  if (inverted) to.op = from.op == Op::conjunction ? Op::disjunction : Op::conjunction;
  for (const Literal& literal : from.literals)
    to.literals.push_back(simplify_literal(literal, inverted, attributes));
  for (const Junction& operand : from.junctions)
    absorb(to, normalise(operand, inverted, attributes));
  return to;
}

/// @param from  normalised
Junction simplify(Junction from, std::span<const Attribute> attributes) {
  Junction to;
  to.op = from.op;
  to.literals = from.literals;
  for (Junction& operand : from.junctions) absorb(to, simplify(std::move(operand), attributes));
  simplify_literals(to.op, to.literals, attributes);
  std::sort(to.junctions.begin(), to.junctions.end());
  to.junctions.erase(std::unique(to.junctions.begin(), to.junctions.end()), to.junctions.end());
  if (!to.literals.empty() || to.junctions.size() > 1) return to;
  Junction only = std::move(to.junctions.front());
  return only;
}

/// Adds an operand, flattening a chain of one connective as it is read.
void add(Junction& to, Junction operand) {
  const bool lone_literal = operand.operands() == 1 && operand.junctions.empty();
  if (lone_literal) {
    Literal literal = operand.literals.front();
    literal.inverted = literal.inverted != operand.inverted;
    to.literals.push_back(literal);
  } else {
    to.junctions.push_back(std::move(operand));
  }
}

Junction read(const Expression& expression) {
  std::vector<Junction> stack;
  auto next = expression.comparisons().begin();
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      Junction leaf;
      leaf.literals.push_back({*next++, false});
      stack.push_back(std::move(leaf));
    } else if (op == Op::negation) {
      stack.back().inverted = !stack.back().inverted;
    } else {
      Junction right = std::move(stack.back());
      stack.pop_back();
      Junction left = std::move(stack.back());
      const bool goes_on = left.op == op && !left.inverted && left.operands() > 1;
      if (goes_on) {
        stack.back() = std::move(left);
      } else {
        stack.back() = Junction{};
        stack.back().op = op;
        add(stack.back(), std::move(left));
      }
      add(stack.back(), std::move(right));
    }
  }
  return std::move(stack.back());
}

struct Writer {
  Ops program;
  Comparisons comparisons;

  void write(const Junction& junction) {
    std::size_t written = 0;
    for (const Literal& literal : junction.literals) {
      program.push_back(Op::comparison);
      comparisons.push_back(literal.comparison);
      if (literal.inverted) program.push_back(Op::negation);
      if (++written > 1) program.push_back(junction.op);
    }
    for (const Junction& operand : junction.junctions) {
      write(operand);
      if (++written > 1) program.push_back(junction.op);
    }
  }
};

}  // namespace

// The common case without a tree; in most of it no two comparisons are of one attribute.
void make_canonical(Comparisons& comparisons, std::span<const Attribute> attributes) {
  for (Comparison& comparison : comparisons) comparison = canonical(comparison, attributes);
  std::sort(comparisons.begin(), comparisons.end());
  const auto same_attribute = [](const Comparison& a, const Comparison& b) {
    return a.attribute == b.attribute;
  };
  const auto* const repeated =
      std::adjacent_find(comparisons.begin(), comparisons.end(), same_attribute);
  if (repeated == comparisons.end()) return;
  Literals literals;
  for (const Comparison& comparison : comparisons) literals.push_back({comparison, false});
  simplify_literals(Op::conjunction, literals, attributes);
  comparisons.clear();
  for (const Literal& literal : literals) comparisons.push_back(literal.comparison);
}

Expression canonical(const Expression& expression, std::span<const Attribute> attributes) {
  if (expression.empty()) return expression;
  if (expression.is_conjunction()) {
    Comparisons comparisons(expression.comparisons());
    make_canonical(comparisons, attributes);
    return Expression::conjunction(comparisons);
  }
  Writer writer;
  writer.write(simplify(normalise(read(expression), false, attributes), attributes));
  return Expression(writer.program, writer.comparisons);
}

}  // namespace atl
