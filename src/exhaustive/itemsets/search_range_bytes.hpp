// Parts of a search for itemsets, and what was counted in them, as bytes.
#pragma once

#include <vector>

#include "src/core/bytes.hpp"
#include "src/exhaustive/itemsets/itemset_tally.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"

namespace atl {

Bytes encode(const SearchRange& range);
/// @throws BadBytes
SearchRange decode_range(std::span<const std::byte> bytes);

void put(ByteWriter& out, ItemsetTally& tally);
/// Adds to the tally. @param items  that there are: no set has more  @throws BadBytes
void get_tally(ByteReader& in, ItemsetTally& tally, std::uint64_t items);

}  // namespace atl
