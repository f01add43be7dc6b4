// Lists what rules were to conclude and none does, and why.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/eval/device.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/rules/comparison.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Something that rules are to conclude, and the rows searched on which it holds.
struct TargetRows {
  Comparison target;
  std::uint64_t rows = 0;
  std::uint64_t of = 0;  ///< all rows searched, or those that have a value where only these count
};

/// The comparisons that are targets, and each label of targets such as "A=*" with at most 1000, by
/// attribute and code. None where the target is a mean, or where an island has none. Blocking.
/// @param resident  of the rows searched
std::vector<TargetRows> count_targets(const Experiment& experiment,
                                      std::span<const Attribute> attributes, Resident& resident);

/// A line for each limit that keeps all rules from some of the targets, naming both; of more than
/// 40 targets only the first.
std::vector<std::string> excluded_targets(const Experiment& experiment,
                                          std::span<const Attribute> attributes,
                                          std::span<const TargetRows> targets);

/// The limit that no rule can meet, and the greatest support there is; empty if none is known.
/// @param targets  as count_targets() gives them
std::string unmeetable_limit(const Experiment& experiment, std::span<const Attribute> attributes,
                             std::span<const TargetRows> targets);

/// Lists unmet targets likewise, and a line for each other reason for which targets are without a
/// rule.
/// @param found   all that the search has kept; codes of what has no order are those of attributes
/// @param chosen  of them, those to be written, in codes of the attributes
/// @param tests   [chosen] on rows held out; empty if there are none
std::vector<std::string> unmet_targets(const Experiment& experiment,
                                       std::span<const Attribute> attributes,
                                       std::span<const TargetRows> targets,
                                       std::span<const RuleRecord> found,
                                       std::span<const RuleRecord> chosen,
                                       std::span<const HeldOut> tests);

}  // namespace atl
