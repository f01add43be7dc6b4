#pragma once

#include <cstdint>

#include "src/bench/table.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/pairs/pair_rows.hpp"

namespace atl {

/// How long one core takes to count what three sets have in common, by BatMaps (batmap_sets.hpp),
/// by bits and by merging: seconds of a few hundred triples of items. Blocking.
/// @return without machine
/// @throws InternalError if they count differently
Record triples_record(const PairRows& rows, ThreadPool& pool);

/// How many elements of two sorted arrays one core merges a second, as section IV-B of Amossen and
/// Pagh 2011 has it. Blocking. @param most  elements of each, at most. @return without machine
Record merging_record(std::uint64_t most);

}  // namespace atl
