// The canonical form (expression.hpp) of what most sides of rules are.
#pragma once

#include <span>

#include "src/rules/expression.hpp"

namespace atl {

/// canonical() of c1 AND c2 AND ... @pre at least one
Expression canonical_conjunction(Comparisons comparisons, std::span<const Attribute> attributes);

}  // namespace atl
