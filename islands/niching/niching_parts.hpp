#pragma once

#include "islands/algorithms.hpp"

namespace atl {

AlgorithmParts niching_parts();

}  // namespace atl
