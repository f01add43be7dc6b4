// The report on each run that was collected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/results/compare/mined_run.hpp"

namespace atl {

/// One line a run: the settings in which they differ, how far each is, what it found.
/// @param format  table or csv
/// @param width   of a table, in characters; 0: any
std::string comparison_text(const std::vector<MinedRun>& runs, std::string_view format,
                            std::size_t width = 0);

/// runs.json (io/FORMAT.md).
std::string comparison_json(const std::vector<MinedRun>& runs);
/// Archives are empty. @throws BadData
std::vector<MinedRun> parse_comparison(std::string_view json, const std::string& file,
                                       AlgorithmTable algorithms);

}  // namespace atl
