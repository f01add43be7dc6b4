#pragma once

#include <string>
#include <vector>

#include "src/bench/record.hpp"

namespace atl {

/// A JSON array (docs/reference/bench.md), with a newline at its end.
std::string bench_json(const std::vector<BenchRecord>& records);

}  // namespace atl
