#pragma once

#include <array>

namespace atl {

/// For how long a device has had something to do. Counts and fits may go on at a time.
struct BusySeconds {
  double all = 0;     ///< of either kind
  double counts = 0;  ///< of rules
  double fits = 0;    ///< of comparisons
};

struct BusyKind {
  const char* name;
  double BusySeconds::*seconds;
};
inline constexpr std::array<BusyKind, 3> busy_kinds{
    {{"all", &BusySeconds::all}, {"counts", &BusySeconds::counts}, {"fits", &BusySeconds::fits}}};

}  // namespace atl
