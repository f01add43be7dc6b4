// `A is missing` and `A is known` in the antecedents of the built-in grammars.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/grammar/grammar_binding.hpp"

namespace atl {

/// Attributes of which antecedents say that a value is missing or known, ascending: as the
/// experiment has it, or else those with missing values on 0.5% to 99.5% of the rows. None if its
/// grammar is not built in: such a grammar says it itself.
std::vector<std::uint32_t> attributes_that_may_miss(const Experiment& experiment,
                                                    std::span<const Attribute> attributes);

/// The grammar with `is missing` and `is known` on the attributes wherever an antecedent may have a
/// comparison. Its symbols are taken once more for antecedents then, as consequents have neither.
/// @param symbols  [0] is the start
std::vector<BoundSymbol> with_missing(std::vector<BoundSymbol> symbols,
                                      std::span<const std::uint32_t> attributes);

}  // namespace atl
