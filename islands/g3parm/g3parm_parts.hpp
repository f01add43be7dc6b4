#pragma once

#include "islands/algorithms.hpp"

namespace atl {

AlgorithmParts g3parm_parts();

}  // namespace atl
