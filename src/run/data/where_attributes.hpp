#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/results/rule_file.hpp"
#include "io/run/run_folder.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Expects that the data of a run have the attributes that --where names. Where the data cannot be
/// asked quickly, what no rule names is only a warning.
/// @param names  as a user has them
/// @param data   file of the run's data; it need not be there any more
/// @throws UsageError with the nearest names
void expect_attributes(std::span<const std::string> names, std::span<const WrittenRule> rules,
                       const io::RunPaths& run, const std::string& data, const Report& report);

}  // namespace atl
