#include "src/exhaustive/itemsets/search_range_bytes.hpp"

#include <span>
#include <utility>

namespace atl {

Bytes encode(const SearchRange& range) {
  ByteWriter out;
  out.put_all(std::span<const std::uint32_t>(range.way));
  out.put(range.first);
  out.put(range.end);
  return std::move(out).take();
}

SearchRange decode_range(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  SearchRange range;
  range.way = in.get_all<std::uint32_t>();
  range.first = in.get<std::uint32_t>();
  range.end = in.get<std::uint32_t>();
  in.expect_end();
  require_bytes(range.first <= range.end, "a part of a search ends before it begins");
  return range;
}

void put(ByteWriter& out, ItemsetTally& tally) {
  const std::vector<ItemsetTally::Entry> entries = tally.entries();
  out.put(std::uint64_t{entries.size()});
  for (const ItemsetTally::Entry& entry : entries) {
    out.put(entry.perfect);
    out.put(entry.length);
    out.put(entry.sets);
  }
}

void get_tally(ByteReader& in, ItemsetTally& tally, std::uint64_t items) {
  const std::size_t entries = in.get_count(24);
  for (std::size_t k = 0; k < entries; ++k) {
    const auto perfect = in.get<std::uint64_t>();
    const auto length = in.get<std::uint64_t>();
    require_bytes(perfect <= items && length <= items, "a set has more items than there are");
    tally.add(static_cast<std::size_t>(perfect), static_cast<std::size_t>(length),
              in.get<std::uint64_t>());
  }
}

}  // namespace atl
