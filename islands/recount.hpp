// A checkpoint may come from anywhere, so what it says of rules is counted again.
#pragma once

#include <span>

#include "islands/run_state.hpp"
#include "src/eval/evaluator.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Counts the rules again, in one batch. Counts of widenings are not looked at: whoever writes them
/// counts them anew.
/// @param options  as they were counted
/// @throws BadBytes if one has other counts on the evaluator's rows
void expect_counts(std::span<const RuleRecord> rules, const EvaluateOptions& options,
                   Evaluator& evaluator);
/// The same of all rules of a state.
/// @param options  as the run's islands count
void expect_counts(const RunState& run, const EvaluateOptions& options, Evaluator& evaluator);

}  // namespace atl
