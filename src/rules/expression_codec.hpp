// Expressions as bytes.
#pragma once

#include <span>

#include "src/core/bytes.hpp"
#include "src/rules/expression.hpp"

namespace atl {

void encode(ByteWriter& out, const Expression& expression);
/// @throws BadBytes also if it is malformed, empty, or names attributes or codes that do not exist
Expression decode_expression(ByteReader& in, std::span<const Attribute> attributes);

}  // namespace atl
