#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/core/thread_pool.hpp"
#include "src/exhaustive/rules/item_rule.hpp"

namespace atl {

/// Is a table small enough for the trial of enumeration_seconds()? Tells before the table is read.
bool may_be_tried(std::uint64_t items, std::uint64_t rows) noexcept;

/// About how many seconds enumerate_rules() takes. Rules of up to three comparisons are tried, for
/// about a tenth of a second of a core at most. The number of longer rules is taken to grow as
/// before or as the space does, which is rather too much, as bounds leave out more of them.
/// @return nothing if the trial does not suffice to tell
std::optional<double> enumeration_seconds(const Items& items, const RuleLimits& limits,
                                          std::size_t top, ThreadPool& pool);

}  // namespace atl
