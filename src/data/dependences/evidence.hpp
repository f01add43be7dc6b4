// Tells findings apart from what chance alone would show.
#pragma once

#include "src/core/portable_log.hpp"

namespace atl {

/// Is it more than what one table in a thousand shows by chance?
/// @param log_ways  ln of how many arrangements of the values are alike, one of which is there
/// @param looks  how many of its kind are looked at
inline bool beyond_chance(double log_ways, double looks) noexcept {
  constexpr double tables = 1000;
  return log_ways > portable_log(tables * looks);
}

}  // namespace atl
