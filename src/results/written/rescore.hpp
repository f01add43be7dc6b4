// Rules of a run on other data with the same columns.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/device.hpp"
#include "src/results/written/written_rule.hpp"

namespace atl {

/// Counts the rules on other data and says how far each one's confidence went. Attributes are found
/// by name, values by what they are; a comparison with a label that the data do not have holds on
/// no row. Confidence fell or rose if Fisher's exact test of the two shares, doubled for both
/// sides, or of rules about a mean the test of the two means, adjusted over all rules by Benjamini
/// and Hochberg, has p of at most 0.05.
/// @param experiment  that found the rules
/// @param source  what messages call the data
/// @throws BadData if a column is missing or of another kind; nothing is changed then
void rescore(std::vector<WrittenRule>& rules, Resident& resident, const Experiment& experiment,
             const std::string& source);

/// How many rules kept their confidence, fell, rose, no longer apply. @pre all are rescored
std::string drift_summary(std::span<const WrittenRule> rules, const std::string& source);

}  // namespace atl
