#include "src/eval/reference_truth.hpp"

namespace atl {

bool holds(const Comparison& comparison, std::uint32_t code) {
  if (code == missing_code) return false;
  const bool inside = comparison.low <= code && code <= comparison.high;
  return inside != comparison.negated;
}

bool holds(const Expression& expression, const std::vector<bool>& truth) {
  if (expression.empty()) return true;
  std::vector<bool> stack;
  std::size_t next = 0;
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      stack.push_back(truth[next++]);
    } else if (op == Op::negation) {
      stack.back() = !stack.back();
    } else {
      const bool right = stack.back();
      stack.pop_back();
      const bool left = stack.back();
      stack.back() = op == Op::conjunction ? left && right : left || right;
    }
  }
  return stack.back();
}

bool holds(const Expression& expression, const Dataset& dataset, std::uint64_t row) {
  std::vector<bool> truth;
  for (const Comparison& comparison : expression.comparisons()) {
    truth.push_back(holds(comparison, dataset.code(row, comparison.attribute)));
  }
  return holds(expression, truth);
}

}  // namespace atl
