#include "src/rules/expression.hpp"

#include <algorithm>
#include <stdexcept>

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

Expression both(const Expression& a, const Expression& b) {
  Ops program(a.program());
  for (const Op op : b.program()) program.push_back(op);
  program.push_back(Op::conjunction);
  Comparisons comparisons(a.comparisons());
  for (const Comparison& comparison : b.comparisons()) comparisons.push_back(comparison);
  return {program, comparisons};
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
