// Counts rules again: on other data with the same columns, or as a checkpoint claims them, which
// may come from anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/small_vector.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/device.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A rule with the counts that a file gives for it.
struct ClaimedCounts {
  const Rule* rule;
  ContingencyTable table;
  std::uint64_t missing_consequent;
  const SmallVector<std::uint64_t, 8>* comparison_supports = nullptr;  ///< null: not compared
};

/// The counts that a rule of an archive claims; `record` must outlive it.
ClaimedCounts claimed(const RuleRecord& record);

/// Counts the rules again, in one batch. Counts of generalisations are not looked at: whoever
/// writes them counts them anew.
/// @param options  as they were counted
/// @throws BadBytes if one has other counts on the resident's rows
void expect_counts(std::span<const ClaimedCounts> claims, CountingOptions options,
                   Resident& resident);
void expect_counts(std::span<const RuleRecord> rules, const CountingOptions& options,
                   Resident& resident);

/// Counts the rules on other data and says how far each one's confidence went. Attributes are found
/// by name, values by what they are; a comparison with a label that the data do not have holds on
/// no row. Confidence fell or rose if Fisher's exact test of the two shares, doubled for both
/// sides, or of rules about a mean the test of the two means, adjusted over all rules by Benjamini
/// and Hochberg, has p of at most 0.05. Each rule is tested, too, as one is on rows held out
/// (holdout.hpp), with lines, variants and definitions that are apart as families of their own.
/// @param experiment  that found the rules
/// @param source  what messages call the data
/// @throws BadData if a column is missing or of another kind; nothing is changed then
void rescore(std::vector<WrittenRule>& rules, Resident& resident, const Experiment& experiment,
             const std::string& source);

/// Tells how many rules kept their confidence, fell, rose, no longer apply. @pre all are rescored
std::string drift_summary(std::span<const WrittenRule> rules, const std::string& source);

}  // namespace atl
