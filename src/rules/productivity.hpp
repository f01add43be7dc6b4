// Is each part of a rule's antecedent needed? (Webb 2007, "Discovering significant patterns",
// Machine Learning 68.)
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/measures/contingency_table.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// Antecedents of at most so many parts have all their generalisations tested.
inline constexpr std::size_t most_generalised_parts = 12;

/// The antecedents that are left when some parts of one are dropped, or all: then it is empty and
/// holds on every row. The parts are the operands of the outermost AND; of an interval on a numeric
/// or ordinal attribute that has values below and above (`= v` among them), each bound is a part of
/// its own. With more than most_generalised_parts parts, only those that drop one part, and the
/// empty one.
/// @param antecedent  canonical, not empty
std::vector<Expression> proper_generalisations(const Expression& antecedent,
                                               std::span<const Attribute> attributes);

/// ln p of the test that among the rows of the general rule's antecedent the special rule's goes
/// along with the consequent: Fisher's exact one, one-sided, or that of significance.hpp for
/// rules about a mean.
/// @param general  table of a rule whose antecedent covers all rows of the special one's, with the
///                 same consequent; with its deviation if it is about a mean
double log_productive_p(const ContingencyTable& special, const ContingencyTable& general) noexcept;

}  // namespace atl
