// What an aimed search concludes, covered.
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

/// Rules that have the rows of each consequent between them (covering.hpp), of those that meet the
/// experiment's constraints; none for an experiment without a target, for one that requires
/// attributes or is after contrast, which is not gained row by row, and where there are more than
/// 32 consequents. Counted on all rows, in the order taken, consequent by consequent. Blocking, not
/// collective.
/// @param found  rules of the archive, best first: their consequents are covered, and, of a target
///               that names all labels of an attribute, those of the other labels
std::vector<RuleRecord> cover_consequents(std::span<const RuleRecord> found,
                                          const Experiment& experiment,
                                          const IslandGrammars& grammars, Resident& resident,
                                          ThreadPool& pool);

}  // namespace atl
