#pragma once

#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/eval/device.hpp"
#include "src/results/written/written_rule.hpp"

namespace atl {

/// The experiment's quantile of its target on the rows of each rule's antecedent, and on the other
/// rows that have a value: the least value at or below which at least the share of them lie. Found
/// by bisection, with a batch for each bit of the target's codes. Blocking.
/// @return [rules], or nothing if the experiment's target is no quantile
std::vector<Quantiles> count_quantiles(std::span<const Rule> rules, const Experiment& experiment,
                                       std::span<const Attribute> attributes, Resident& resident);

}  // namespace atl
