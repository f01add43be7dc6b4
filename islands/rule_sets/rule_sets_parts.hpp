#pragma once

#include "islands/algorithms.hpp"

namespace atl {

AlgorithmParts rule_sets_parts();

}  // namespace atl
