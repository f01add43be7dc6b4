#pragma once

#include <cstdint>

#include "src/config/experiment.hpp"

namespace atl {

/// [experiment.g3parm]
struct G3parmSettings {
  double crossover = 0, mutation = 0;  ///< probabilities
  std::uint32_t pool = 0;              ///< good rules kept as parents

  explicit G3parmSettings(const Experiment& experiment);
};

}  // namespace atl
