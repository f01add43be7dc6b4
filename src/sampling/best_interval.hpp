// Finds the codes of a comparison that gain most, once the gain of every code is known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "src/sampling/fit_limits.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {

/// Gains of up to most_rows_of_narrow_gains rows, and of any number.
using NarrowGain = std::int64_t;
__extension__ using WideGain = __int128;

/// The codes of a relation that gain most, not all codes; of equals those found first in ascending
/// order of their last code. Codes that no row has begin and end nothing. None if nothing gains.
/// @tparam Gain   NarrowGain or WideGain
/// @param counts  [2 code + 1] rows that are positive, [2 code] others
/// @param gains   [code]
template <typename Gain>
std::optional<FittedInterval> best_of_all(BoundRelation relation,
                                          std::span<const std::uint32_t> counts,
                                          std::span<const Gain> gains);

/// The best interval that takes the code `through`, not all codes. None if nothing gains.
/// @param gains  [code]
template <typename Gain>
std::optional<FittedInterval> best_through(std::uint32_t through, std::span<const Gain> gains);

/// This code, or all but this one (not_equal), if it gains. @param gains  [code]
template <typename Gain>
std::optional<FittedInterval> only_code(BoundRelation relation, std::uint32_t code,
                                        std::span<const Gain> gains);

}  // namespace atl
