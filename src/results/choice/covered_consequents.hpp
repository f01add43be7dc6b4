// Covers the rows of what an aimed search concludes.
#pragma once

#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/device.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Finds rules that meet the experiment's constraints and have the rows of each consequent between
/// them (covering.hpp). They are counted on all rows, and stand in the order taken, consequent by
/// consequent. Blocking, not collective. There are none
/// - for an experiment without a target,
/// - for one that requires attributes,
/// - for one that is after contrast, which is not gained row by row,
/// - where there are more than 32 consequents.
/// @param found  rules of the archive, best first: their consequents are covered, and, of a target
///               that names all labels of an attribute, those of the other labels
struct AimedRules {
  std::vector<RuleRecord> covering;  ///< in the order taken, consequent by consequent
  std::vector<RuleRecord> front;     ///< the most certain of each size
};

AimedRules cover_consequents(std::span<const RuleRecord> found,
                                          const Experiment& experiment,
                                          const IslandGrammars& grammars, Resident& resident,
                                          ThreadPool& pool);

}  // namespace atl
