// What chance alone would show.
#pragma once

namespace atl {

/// Is it more than what one table in a thousand shows by chance?
/// @param log_ways  ln of how many arrangements of the values are alike, one of which is there
/// @param looks  how many of its kind are looked at
bool beyond_chance(double log_ways, double looks) noexcept;

}  // namespace atl
