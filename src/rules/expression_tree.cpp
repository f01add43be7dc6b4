#include "src/rules/expression_tree.hpp"

#include <iterator>
#include <utility>

namespace atl {
namespace {

void add(ExpressionTree& to, ExpressionTree operand) {
  if (operand.op != to.op) {
    to.operands.push_back(std::move(operand));
    return;
  }
  std::move(operand.operands.begin(), operand.operands.end(), std::back_inserter(to.operands));
}

}  // namespace

ExpressionTree to_tree(const Expression& expression) {
  std::vector<ExpressionTree> stack;
  auto next = expression.comparisons().begin();
  for (const Op op : expression.program()) {
    ExpressionTree tree;
    tree.op = op;
    if (op == Op::comparison) {
      tree.comparison = *next++;
    } else if (op == Op::negation) {
      tree.operands.push_back(std::move(stack.back()));
      stack.pop_back();
    } else {
      ExpressionTree right = std::move(stack.back());
      stack.pop_back();
      add(tree, std::move(stack.back()));
      stack.pop_back();
      add(tree, std::move(right));
    }
    stack.push_back(std::move(tree));
  }
  return std::move(stack.back());
}

}  // namespace atl
