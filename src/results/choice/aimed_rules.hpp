// Finds what a list about a target is to have, whether or not the search met it.
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

struct AimedRules {
  /// They have the rows of each consequent between them (covering.hpp), in the order taken,
  /// consequent by consequent.
  std::vector<RuleRecord> covering;
  std::vector<RuleRecord> front;  ///< the most certain of each size (front.hpp)
};

/// Finds rules that meet the experiment's constraints, counted on all rows. Blocking, not
/// collective. There are none
/// - for an experiment without a target,
/// - for one that requires attributes,
/// - for one that is after contrast, which is not gained row by row,
/// - where there are more than 32 consequents.
/// @param found  rules of the archive, best first: their consequents are covered, and, of a target
///               that names all labels of an attribute, those of the other labels
AimedRules aimed_rules(std::span<const RuleRecord> found, const Experiment& experiment,
                       const IslandGrammars& grammars, Resident& resident, ThreadPool& pool);

}  // namespace atl
