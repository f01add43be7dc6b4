// Where a command may write.
#pragma once

#include <string>

namespace atl {

/// The name of standard output as a file to write.
inline constexpr const char* standard_output = "-";
/// Of an output that cannot be standard output. @param why  it cannot, and what to do
/// @throws UsageError
void refuse_standard_output(const std::string& output, const std::string& why);

/// @throws UsageError if the file is there, unless it may be replaced
void refuse_existing(const std::string& file, bool force);

}  // namespace atl
