// What a run has found of the rules that an exhaustive search of the same data found.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "io/results/true_rule_report.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Judges the best `top` rules of a file by the measure of the run, all counted again on its data.
/// @param show  called with the result
/// @throws UsageError for a run that no exhaustive search can be compared with; BadData if the
/// rules are of other data; MissingInput
void compare_run(const std::string& run, const std::string& rules, std::size_t top,
                 const Report& report, const std::function<void(const io::TrueRuleReport&)>& show);

}  // namespace atl
