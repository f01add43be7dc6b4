#include "src/sampling/interval_fitter.hpp"

namespace atl {

FittedGroup IntervalFitter::fit(const IntervalGroup& group) {
  FittedGroup fitted;
  prepare({&group, 1});
  start();
  finish();
  read({&fitted, 1});
  return fitted;
}

}  // namespace atl
