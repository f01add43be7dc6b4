#include "src/exhaustive/pairs/batmap_sets.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

namespace atl {
namespace {

/// A byte for each entry of the first map: in how many others it has been met.
class Meetings {
 public:
  explicit Meetings(std::span<const std::uint8_t> first) : first_(first), met_(first.size()) {}

  void meet(std::span<const std::uint8_t> other) {
    const std::size_t size = std::min(first_.size(), other.size());
    for (std::size_t own = 0; own < first_.size(); own += size) {
      for (std::size_t its = 0; its < other.size(); its += size) add(own, other.data() + its, size);
    }
  }
  std::uint32_t operator[](std::uint64_t place) const noexcept { return met_[place]; }

 private:
  void add(std::size_t own, const std::uint8_t* other, std::size_t size) {
    for (std::size_t at = 0; at < size; at += sizeof(std::uint32_t)) {
      std::uint32_t x = 0, y = 0, met = 0;
      std::memcpy(&x, first_.data() + own + at, sizeof x);
      std::memcpy(&y, other + at, sizeof y);
      std::memcpy(&met, met_.data() + own + at, sizeof met);
      met += common_entries(x, y) >> 7;
      std::memcpy(met_.data() + own + at, &met, sizeof met);
    }
  }

  std::span<const std::uint8_t> first_;
  std::vector<std::uint8_t> met_;
};

/// Sums over the places of an element in a map. @return of an element aside 0
template <typename Of>
std::uint32_t sum_of_places(const BatMapLayout& layout, std::span<const std::uint8_t> entries,
                            std::uint32_t element, const Of& of) {
  const std::uint64_t width = entries.size() / BatMapLayout::tables;
  std::uint32_t sum = 0;
  for (unsigned table = 0; table < BatMapLayout::tables; ++table) {
    const std::uint64_t permuted = layout.permuted(table, element);
    const std::uint64_t place = layout.place(table, permuted, width);
    if ((entries[place] & batmap_code) == layout.code(permuted)) sum += of(place);
  }
  return sum;
}

bool has(const BatMapLayout& layout, const BatMapView& map, std::uint32_t element) {
  return batmap_has(layout, map.entries, element) || std::ranges::binary_search(map.aside, element);
}

}  // namespace

std::uint64_t count_common_of_all(const BatMapLayout& layout,
                                  std::span<const std::uint32_t> elements, const BatMapView& first,
                                  std::span<const BatMapView> others) {
  assert(others.size() <= most_met_sets);
  Meetings meetings(first.entries);
  for (const BatMapView& other : others) meetings.meet(other.entries);
  std::uint64_t common = 0;
  for (const std::uint32_t element : elements) {
    if (std::ranges::binary_search(first.aside, element)) {
      common += std::ranges::all_of(
          others, [&](const BatMapView& other) { return has(layout, other, element); });
      continue;
    }
    std::size_t met = sum_of_places(layout, first.entries, element,
                                    [&](std::uint64_t place) { return meetings[place]; });
    for (const BatMapView& other : others) {
      met += std::ranges::binary_search(other.aside, element) ? 1 : 0;
    }
    common += met == others.size() ? 1 : 0;
  }
  return common;
}

}  // namespace atl
