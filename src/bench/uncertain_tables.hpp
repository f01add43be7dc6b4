#pragma once

#include <vector>

#include "src/bench/table.hpp"

namespace atl {

/// Tables of `atoll bench uncertain`, one for each figure of Kozawa 2016, chapter 3. Lines are at
/// most 80 columns wide.
std::vector<Table> uncertain_tables();

}  // namespace atl
