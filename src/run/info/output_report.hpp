// The report of `info` on the output file of a task, which is no data.
#pragma once

#include <optional>
#include <string>

namespace atl {

/// Of a file that is not there yet, as a task works on it or stopped. jobs/slurm.sh reads it, too.
/// @param json  one JSON object instead of text
std::string task_report(const std::string& file, bool json);

/// The report on rules or sets that `enumerate` or `itemsets` has written, if the file begins as
/// these do; none on any other file. @throws MissingInput, IoError
std::optional<std::string> found_report(const std::string& file, bool json);

}  // namespace atl
