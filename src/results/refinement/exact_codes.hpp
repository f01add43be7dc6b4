// From the codes of bins to those of all values.
#pragma once

#include <span>

#include "src/data/attribute.hpp"
#include "src/results/refinement/bound_fits.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// The same rule, on the same rows, in the codes of the same attributes before binning.
/// @throws InternalError if the attributes are not
Rule in_exact_codes(const Rule& rule, std::span<const Attribute> binned,
                    std::span<const Attribute> exact);

/// The edges of the bins of attributes as the search knew them, among all values.
BinEdges bin_edges(std::span<const Attribute> binned, std::span<const Attribute> exact);

}  // namespace atl
