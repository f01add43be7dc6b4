#include "src/rules/expression.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace atl {

Expression::Expression(const Ops& program, const Comparisons& comparisons)
    : program_(program), comparisons_(comparisons) {
  std::uint32_t height = 0;
  std::size_t used = 0;
  for (const Op op : program_) {
    switch (op) {
      case Op::comparison:
        ++used;
        depth_ = std::max(depth_, ++height);
        break;
      case Op::conjunction:
      case Op::disjunction:
        if (height < 2) throw std::invalid_argument("a connective lacks an operand");
        --height;
        break;
      case Op::negation:
        if (height < 1) throw std::invalid_argument("a negation lacks its operand");
        break;
      default:
        throw std::invalid_argument("an operation does not exist");
    }
  }
  if (height != 1) throw std::invalid_argument("an expression does not leave one value");
  if (used != comparisons_.size())
    throw std::invalid_argument("an expression does not use every comparison once");
}

Expression Expression::of(const Comparison& comparison) {
  return conjunction({&comparison, 1});
}

Expression Expression::conjunction(std::span<const Comparison> comparisons) {
  Expression expression;
  expression.assign_conjunction(comparisons);
  return expression;
}

void Expression::assign_conjunction(std::span<const Comparison> comparisons) {
  program_.clear();
  program_.resize(2 * comparisons.size() - 1);  // with comparisons
  for (std::size_t i = 2; i < program_.size(); i += 2) program_[i] = Op::conjunction;
  comparisons_.assign(comparisons);
  depth_ = comparisons.size() > 1 ? 2 : 1;
}

namespace {

Expression joined(const Expression& a, Op op, const Expression& b) {
  Ops program(a.program());
  program.append(b.program());
  program.push_back(op);
  Comparisons comparisons(a.comparisons());
  comparisons.append(b.comparisons());
  return {program, comparisons};
}

}  // namespace

Expression both(const Expression& a, const Expression& b) {
  return joined(a, Op::conjunction, b);
}

Expression either(const Expression& a, const Expression& b) {
  return joined(a, Op::disjunction, b);
}

// The conjunctions of a truth value on the stack are neighbours, so their ends tell all.
std::vector<std::span<const Comparison>> alternatives(const Expression& expression) {
  const std::span<const Comparison> comparisons = expression.comparisons();
  if (expression.is_conjunction()) return {comparisons};
  std::vector<std::vector<std::size_t>> stack;  // where the conjunctions of each value end
  std::size_t next = 0;
  for (const Op op : expression.program()) {
    if (op == Op::negation) return {};
    if (op == Op::comparison) {
      stack.push_back({++next});
      continue;
    }
    const std::vector<std::size_t> right = std::move(stack.back());
    stack.pop_back();
    std::vector<std::size_t>& left = stack.back();
    if (op == Op::conjunction) {
      if (left.size() > 1 || right.size() > 1) return {};
      left.clear();
    }
    left.insert(left.end(), right.begin(), right.end());
  }
  std::vector<std::span<const Comparison>> found;
  std::size_t begin = 0;
  for (const std::size_t end : stack.back()) {
    found.push_back(comparisons.subspan(begin, end - begin));
    begin = end;
  }
  return found;
}

bool Expression::is_conjunction() const noexcept {
  return std::all_of(program_.begin(), program_.end(),
                     [](Op op) { return op == Op::comparison || op == Op::conjunction; });
}

std::strong_ordering operator<=>(const Expression& a, const Expression& b) noexcept {
  if (const auto order = a.comparisons_.size() <=> b.comparisons_.size(); order != 0) return order;
  if (const auto order = a.comparisons_ <=> b.comparisons_; order != 0) return order;
  return a.program_ <=> b.program_;
}

}  // namespace atl
