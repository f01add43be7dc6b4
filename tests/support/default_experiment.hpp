#pragma once

#include <string_view>

#include "islands/algorithms.hpp"
#include "src/config/experiment.hpp"

namespace atl {

inline Experiment default_experiment(std::string_view algorithm) {
  return Experiment::defaults(find_algorithm(algorithms(), algorithm));
}

}  // namespace atl
