// An expression as a tree, for what is written of it in nested form.
#pragma once

#include <vector>

#include "src/rules/expression.hpp"

namespace atl {

struct ExpressionTree {
  Op op = Op::comparison;
  Comparison comparison;                 ///< if that is what it is
  std::vector<ExpressionTree> operands;  ///< one of NOT; two or more of AND and OR, none their like
};

/// @pre not empty
ExpressionTree to_tree(const Expression& expression);

}  // namespace atl
