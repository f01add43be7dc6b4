// Finds whether an expression holds on a row, as the reference device does: one code at a time.
#pragma once

#include <vector>

#include "src/data/dataset.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// Does the comparison hold on the code? Not on a missing value.
bool holds(const Comparison& comparison, std::uint32_t code);

/// The empty expression holds everywhere, as a conjunction of nothing.
/// @param truth  [comparisons] of the expression
bool holds(const Expression& expression, const std::vector<bool>& truth);

bool holds(const Expression& expression, const Dataset& dataset, std::uint64_t row);

}  // namespace atl
