// A checkpoint may come from anywhere, so what it says of rules is counted again.
#pragma once

#include <cstdint>
#include <span>

#include "src/core/small_vector.hpp"
#include "src/eval/device.hpp"
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
/// @throws BadBytes if one has other counts on the resident's rows
void expect_counts(std::span<const ClaimedCounts> claims, CountingOptions options,
                   Resident& resident);
void expect_counts(std::span<const RuleRecord> rules, const CountingOptions& options,
                   Resident& resident);

}  // namespace atl
