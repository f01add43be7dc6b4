// Rows that the search does not see, and what they say of the rules it finds.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/data/row_mask.hpp"
#include "src/eval/device.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// Decides of each row whether the experiment holds it out. A share is drawn by a random number for
/// each row, which follows from the seed and the row's index.
/// @param table  all rows, of no less than split_attribute(), with every value of it
/// @throws UsageError if the condition or a row is none of the table's, or if all rows or none are
///         held out
RowMask held_out_rows(const Experiment& experiment, const Dataset& table, ThreadPool& pool);

/// The rows that are held out as a text that parse_row_numbers() reads.
std::string row_numbers(const RowMask& held_out);

/// The rules for whose number p is adjusted: all, or those of one consequent.
enum class TestFamily { all, consequent };

/// Tests rules on the rows of `resident`: each against independence, and against every proper
/// generalisation of its antecedent. p_holm and p_bh are adjusted over the rules given. Blocking.
/// @param options  those of the search
/// @return [records]
std::vector<HeldOut> test_rules(std::span<const RuleRecord> records,
                                std::span<const Attribute> attributes, CountingOptions options,
                                Resident& resident, TestFamily family = TestFamily::all);

/// The proper generalisations of the antecedent of one of the rules, by its place among them.
using Generalise = std::function<std::vector<Expression>(std::size_t rule)>;

/// The same of rules that need not be canonical, as they are on other data.
std::vector<HeldOut> test_rules(std::span<const Rule> rules, const Generalise& generalise,
                                CountingOptions options, Resident& resident, TestFamily family);

}  // namespace atl
