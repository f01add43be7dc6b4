#pragma once

#include <span>
#include <vector>

#include "src/eval/device.hpp"
#include "tests/eval/backend.hpp"

namespace atl::test {

/// What the published pipeline must say.
inline std::vector<RuleCounts> reference_counts(const Dataset& data, std::span<const Rule> rules) {
  auto counts =
      counts_of(*make_reference_device()->load(data), rules, {.comparison_supports = true});
  for (RuleCounts& of : counts) of.missing_consequent = 0;
  return counts;
}

}  // namespace atl::test
