// Numbers that every fitter has in common.
#pragma once

#include <cstdint>

namespace atl {

/// Rounds of refining a threshold, at most.
inline constexpr int threshold_rounds = 4;
/// Trials of a group that are fitted again on more rows.
inline constexpr std::uint32_t compared_again = 2;
/// Up to so many rows gains fit in 64 bits: with a refined threshold they reach N^3 / 2.
inline constexpr std::int64_t most_rows_of_narrow_gains = 2'000'000;

}  // namespace atl
