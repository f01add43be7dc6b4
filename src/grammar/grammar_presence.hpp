// A grammar whose rules never say that something is absent.
#pragma once

#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/grammar/grammar_binding.hpp"

namespace atl {

/// The grammar without comparisons that only say that something is absent. A relation on an
/// attribute with a presence_code() has but the one comparison that it is there, if it can say so.
/// It has none below an odd number of NOTs, for which symbols are taken once more. What the
/// grammar's text fixes, such as "a = 0", stays. The grammar is as it was if no attribute has a
/// presence_code().
/// @param symbols  of the grammar; those that the start does not reach are left out
std::vector<BoundSymbol> without_absences(std::vector<BoundSymbol> symbols,
                                          std::span<const Attribute> attributes);

}  // namespace atl
