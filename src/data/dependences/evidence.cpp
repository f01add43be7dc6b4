#include "src/data/dependences/evidence.hpp"

#include "src/core/portable_math.hpp"

namespace atl {

bool beyond_chance(double log_ways, double looks) noexcept {
  constexpr double tables = 1000;
  return log_ways > portable_log(tables * looks);
}

}  // namespace atl
