#pragma once

#include <string>
#include <vector>

namespace atl {

/// What is wrong with data without a column that a run needs, as "FILE: " goes before it; with the
/// nearest names that there are.
std::string missing_column(const std::string& name, const std::vector<std::string>& there);

}  // namespace atl
