// The canonical form (expression.hpp) of what most sides of rules are.
#pragma once

#include <span>

#include "src/rules/expression.hpp"

namespace atl {

/// Makes c1, c2, ... the comparisons of canonical() of c1 AND c2 AND ..., a conjunction, too.
/// @pre at least one
void make_canonical(Comparisons& comparisons, std::span<const Attribute> attributes);

}  // namespace atl
