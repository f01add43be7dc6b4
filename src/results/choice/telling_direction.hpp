// Turns rules round where they say more that way.
#pragma once

#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/measures/measures.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/results/refinement/counted_rules.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Of A => B and B => A, if both are of the grammar and meet the constraints, one tells: that of
/// the greater `archive_by`, then of the greater confidence, then the first in the rules' order. So
/// of two measured alike, `110 => 38` (0.975) and `38 => 110` (0.17), the first stands for both,
/// whichever was found. If one is a definition that is kept apart and the other is not, both stand.
class TellingDirection {
 public:
  /// The arguments must outlive it.
  /// @param counted  with the options of the counts in the records
  TellingDirection(const Experiment& experiment, const IslandGrammars& grammars,
                   CountedRules& counted, const Definitions& definitions);

  /// Each rule in its telling direction, counted, with the place where the one given was found.
  /// Rules about a mean, which have no reversal, stay. Blocking, not collective.
  /// @param records  without equivalents, in the codes of the rows counted
  std::vector<RuleRecord> turned(std::vector<RuleRecord> records);

 private:
  bool is_turnable(const RuleRecord& record) const;
  bool tells_more(const RuleRecord& record, const RuleRecord& reversal) const;

  const IslandGrammars grammars_;
  CountedRules& counted_;
  const Definitions& definitions_;
  Constraints constraints_;
  Measure measure_;
};

/// B => A of A => B.
Rule reversal(const Rule& rule);

}  // namespace atl
