#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/app/itemset_options.hpp"
#include "src/core/context.hpp"

namespace atl {

/// Counts or lists sets by the default search, on all ranks: rank 0 reads and writes. Goes on where
/// the same search was stopped. Collective.
/// @throws what any rank throws, on all
ExitStatus run_itemset_job(const ItemsetsOptions& options, const ItemsetsSettings& settings,
                           const Context& context);

/// "length<TAB>sets", a line for each length that there is.
std::string count_table(std::span<const std::uint64_t> counts);
/// At most 2^64 - 1.
std::uint64_t sum_of(std::span<const std::uint64_t> counts);

}  // namespace atl
