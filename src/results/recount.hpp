// A checkpoint may come from anywhere, so what it says of rules is counted again.
#pragma once

#include <cstdint>
#include <span>

#include "src/core/small_vector.hpp"
#include "src/eval/evaluator.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A rule with the counts that a file gives for it.
struct ClaimedCounts {
  const Rule* rule;
  ContingencyTable table;
  std::uint64_t missing_consequent;
  const SmallVector<std::uint64_t, 8>* comparison_supports = nullptr;  ///< null: not compared
};

/// Of a rule of an archive; `record` must outlive it.
ClaimedCounts claimed(const RuleRecord& record);

/// Counts the rules again, in one batch. Counts of generalisations are not looked at: whoever
/// writes them counts them anew.
/// @param options  as they were counted
/// @throws BadBytes if one has other counts on the evaluator's rows
void expect_counts(std::span<const ClaimedCounts> claims, EvaluateOptions options,
                   Evaluator& evaluator);
void expect_counts(std::span<const RuleRecord> rules, const EvaluateOptions& options,
                   Evaluator& evaluator);

}  // namespace atl
