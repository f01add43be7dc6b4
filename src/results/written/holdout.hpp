// Rows that the search does not see, and what they say of the rules it finds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/data/split.hpp"
#include "src/eval/device.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Is the row held out? With probability `share`, by a random number of its own that follows from
/// the seed and the row's index.
bool is_held_out(std::uint64_t row, double share, std::uint64_t seed) noexcept;

/// Draws the rows that is_held_out() says.
/// @throws UsageError if a part has no row
SplitDataset hold_out(Dataset&& whole, double share, std::uint64_t seed);

/// Over which rules p is adjusted for their number: all, or those of one consequent.
enum class TestFamily { all, consequent };

/// Tests rules on the rows of `resident`: each against independence, and against every proper
/// generalisation of its antecedent. p_holm and p_bh are adjusted over the rules given. Blocking.
/// @param options  those of the search
/// @return [records]
std::vector<HeldOut> test_rules(std::span<const RuleRecord> records,
                                std::span<const Attribute> attributes, CountingOptions options,
                                Resident& resident, TestFamily family = TestFamily::all);

}  // namespace atl
