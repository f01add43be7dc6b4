// Conditions as predicates of PMML.
//
// PMML has three truth values, and no NOT. A comparison on a missing value is UNKNOWN; AND and OR
// are Kleene's (the least and the greatest of FALSE < UNKNOWN < TRUE); a rule fires if its
// predicate is TRUE. Ours has two values, and a comparison on a missing value is false.
// - Without NOT both agree on which rules fire: least and greatest commute with taking UNKNOWN for
//   FALSE, so the whole is TRUE exactly where it is with FALSE in place of UNKNOWN.
// - So NOT is moved inward (De Morgan, which holds for two truth values), until it stands before
//   comparisons. NOT of a comparison holds where the opposite comparison does, and where the value
//   is missing: isMissing OR opposite. isMissing is never UNKNOWN, and TRUE OR UNKNOWN is TRUE.
// `!=` and `not in` on a missing value are UNKNOWN, and false with us, so they need no guard.
#pragma once

#include <span>

#include "io/results/xml_writer.hpp"
#include "src/rules/expression.hpp"

namespace atl::io {

/// Writes one predicate. @pre not empty
void write_predicate(XmlWriter& out, const Expression& expression,
                     std::span<const Attribute> attributes);

}  // namespace atl::io
