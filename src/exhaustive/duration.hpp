#pragma once

#include <cstddef>
#include <optional>

#include "src/core/thread_pool.hpp"
#include "src/exhaustive/item_rule.hpp"

namespace atl {

/// About how many seconds enumerate_rules() takes: it is tried with up to four comparisons, for
/// about a second at most and mostly far less, and what is longer is taken to grow as before.
/// @return nothing if that does not suffice to tell
std::optional<double> enumeration_seconds(const Items& items, const RuleLimits& limits,
                                          std::size_t top, ThreadPool& pool);

}  // namespace atl
