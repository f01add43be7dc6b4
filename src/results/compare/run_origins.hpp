#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace atl {

/// Where rules of several runs were found: their islands are numbered in a row.
struct RunOrigins {
  std::vector<std::string> names;           ///< of the runs
  std::vector<std::uint32_t> first_island;  ///< of each, ascending from 0
};

}  // namespace atl
