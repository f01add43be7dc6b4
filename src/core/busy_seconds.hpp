#pragma once

#include <array>

namespace atl {

/// Seconds during which a device has had something to do. Counts and fits may go on at a time.
struct BusySeconds {
  double all = 0;     ///< of either kind
  double counts = 0;  ///< of rules
  double fits = 0;    ///< of comparisons, and growth of rules
};

/// The kinds that BusySeconds tells, in this order.
inline constexpr std::array<double BusySeconds::*, 3> busy_kinds{
    &BusySeconds::all, &BusySeconds::counts, &BusySeconds::fits};

}  // namespace atl
