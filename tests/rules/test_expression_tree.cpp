#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/rules/expression_tree.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {
namespace {

const std::vector<Attribute> table = {with_missing(numeric("x", {1, 2, 3}))};

std::string words(const ExpressionTree& tree) {
  if (tree.op == Op::comparison) return to_text(tree.comparison, table);
  std::string text = tree.op == Op::conjunction   ? "and("
                     : tree.op == Op::disjunction ? "or("
                                                  : "not(";
  for (const ExpressionTree& operand : tree.operands) text += words(operand) + ",";
  text.back() = ')';
  return text;
}

TEST(ExpressionTree, JoinsChainsOfOneConnective) {
  const Comparison a{0, 0, 0, false}, b{0, 1, 1, false}, c{0, 2, 2, false};
  constexpr Op leaf = Op::comparison, both = Op::conjunction, either = Op::disjunction;
  const auto tree = [](const Ops& program, const Comparisons& comparisons) {
    return words(to_tree(Expression(program, comparisons)));
  };
  EXPECT_EQ(tree({leaf}, {a}), "x = 1");
  EXPECT_EQ(tree({leaf, leaf, both, leaf, both}, {a, b, c}), "and(x = 1,x = 2,x = 3)");
  EXPECT_EQ(tree({leaf, leaf, leaf, both, both}, {a, b, c}), "and(x = 1,x = 2,x = 3)");
  EXPECT_EQ(tree({leaf, leaf, leaf, either, both}, {a, b, c}), "and(x = 1,or(x = 2,x = 3))");
  EXPECT_EQ(tree({leaf, leaf, either, Op::negation, leaf, either}, {a, b, c}),
            "or(not(or(x = 1,x = 2)),x = 3)");
}

}  // namespace
}  // namespace atl::test
