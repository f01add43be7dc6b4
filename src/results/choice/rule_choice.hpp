// Chooses, for final_rules(), which of many rules make the list.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/measures/measures.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/results/choice/unlike_rules.hpp"
#include "src/results/refinement/counted_rules.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A list, each part best first.
struct RulesAndDefinitions {
  std::vector<RuleRecord> rules;
  std::vector<RuleRecord> definitions;  ///< that are kept apart

  /// Definitions behind the rules.
  std::vector<RuleRecord> all() &&;
};

/// Chooses from counted rules of one dataset. Blocking, not collective.
class RuleChoice {
 public:
  /// The arguments must outlive it.
  /// @param counted  with the options of the counts in the records
  RuleChoice(const Experiment& experiment, CountedRules& counted, const Definitions& definitions);

  /// Removes redundancy; at most so many of what is left, and as many definitions.
  /// @param first  that stay, however alike
  RulesAndDefinitions choose(std::span<const RuleRecord> records, const std::set<Rule>& first,
                             std::size_t most);

  /// Best first, without those that say nothing more, but for those that stay.
  std::vector<RuleRecord> without_redundant(std::span<const RuleRecord> records,
                                            const std::set<Rule>& stay);

  /// Number of rules without redundancy, definitions that are kept apart left out.
  std::size_t distinct(std::span<const RuleRecord> records);

  /// The first `most` records that are not alike, nor like those chosen.
  /// @param gone  [records] those passed over
  /// @return their positions
  std::vector<std::size_t> next(std::span<const RuleRecord> records, const std::vector<bool>& gone,
                                std::span<const RuleRecord> chosen, std::size_t most);

  bool is_apart(const RuleRecord& record) const {
    return definitions_.keeps_apart(record.rule, attributes_);
  }
  /// The measure by which rules are the best.
  Measure measure() const noexcept { return measure_; }

 private:
  UnlikeLimits limits(std::span<const RuleRecord> records, std::size_t most) const;
  bool explained(const RuleRecord& record, std::span<const RuleRecord> better);
  std::vector<RuleStatistics> hashed(std::span<const RuleRecord> records);

  const Experiment& experiment_;
  const Definitions& definitions_;
  std::span<const Attribute> attributes_;
  CountedRules& counted_;
  CountedRules hashed_;
  Measure measure_;
  RuleShapes shapes_;
  std::unordered_map<Rule, Rule, RuleHash> explained_by_;
};

}  // namespace atl
