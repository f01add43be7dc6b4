#pragma once

#include "src/core/bytes.hpp"
#include "src/data/attribute.hpp"

namespace atl {

/// All of an attribute, for another rank.
void put(ByteWriter& out, const Attribute& attribute);
Attribute get_attribute(ByteReader& in);

}  // namespace atl
