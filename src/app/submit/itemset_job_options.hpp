#pragma once

#include <string>
#include <vector>

namespace atl {

/// Options of a batch job that finds itemsets, checked as the command checks them.
/// @param typed  "--closed", "--min-support=1%"
/// @return TOML that the command takes for --config
/// @throws UsageError, also for what no row of jobs can do
std::string itemset_job_options(const std::vector<std::string>& typed, const std::string& data,
                                const std::string& output);

}  // namespace atl
