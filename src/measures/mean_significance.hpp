// Is a mean higher, or lower, than chance would have it?
#pragma once

#include "src/measures/contingency_table.hpp"

namespace atl {

/// ln p, one-sided, that the n_both rows of a rule about a mean have theirs if they were drawn from
/// the n_consequent rows with a value without replacement: of its z, by the normal distribution
/// that such means approach. 0 where there is no z. The same bits on every machine.
/// @pre the rule is about a mean
double log_mean_p(const ContingencyTable& table) noexcept;

/// The same if they were drawn from the rows of a more general rule.
/// @param general  with its rows' deviation
double log_productive_mean_p(const ContingencyTable& special,
                             const ContingencyTable& general) noexcept;

/// p, two-sided, that the means of two rules about the same differ so much by chance (Welch 1938,
/// with the normal distribution). 1 where a deviation cannot be told, or both are 0.
/// @param before, after  of different rows, with their deviations
double mean_change_p(const ContingencyTable& before, const ContingencyTable& after) noexcept;

}  // namespace atl
