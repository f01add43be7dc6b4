#pragma once

#include <string>
#include <vector>

namespace atl {

/// The message for data without a column that a run needs, to be put behind "FILE: ". It has the
/// nearest names that there are.
std::string missing_column(const std::string& name, const std::vector<std::string>& there);

}  // namespace atl
