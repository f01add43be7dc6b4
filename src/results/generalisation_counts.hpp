#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/eval/device.hpp"
#include "src/rules/rule.hpp"

namespace atl {

struct GeneralisationCounts {
  std::vector<RuleStatistics> counts;  ///< [rules] with the generalisation of least contrast noted
  std::uint64_t evaluated = 0;         ///< rules and generalisations
};

/// Counts rules and their generalisations (generalisation.hpp). Blocking.
/// @param attributes  the resident's
GeneralisationCounts count_generalised(std::span<const Rule> rules,
                                       std::span<const Attribute> attributes,
                                       const CountingOptions& options, Resident& resident);

}  // namespace atl
