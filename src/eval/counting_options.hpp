#pragma once

#include <span>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/eval/evaluator.hpp"

namespace atl {

/// What an evaluator has to know to count the experiment's rules: rows with a missing consequent,
/// and, if that is a mean and the attributes have it, what they are about.
EvaluateOptions counting_options(const Experiment& experiment,
                                 std::span<const Attribute> attributes);

/// The values on the wanted side of the mean; empty if rules are about no mean.
/// @param attributes  with counts
Expression beyond_mean(std::span<const Attribute> attributes,
                       const std::optional<MeanTarget>& target);

}  // namespace atl
