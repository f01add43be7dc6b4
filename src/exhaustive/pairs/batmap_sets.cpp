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
  /// Others that have an element of the first in the places where this one has it.
  std::size_t of(const BatMapLayout& layout, std::uint32_t element) const noexcept {
    std::size_t met = 0;
    for (unsigned table = 0; table < BatMapLayout::tables; ++table) {
      const std::uint64_t permuted = layout.permuted(table, element);
      const std::uint64_t place =
          layout.place(table, permuted, first_.size() / BatMapLayout::tables);
      if ((first_[place] & batmap_code) == layout.code(permuted)) met += met_[place];
    }
    return met;
  }

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
    std::size_t met = meetings.of(layout, element);
    for (const BatMapView& other : others) {
      met += std::ranges::binary_search(other.aside, element) ? 1 : 0;
    }
    common += met == others.size() ? 1 : 0;
  }
  return common;
}

}  // namespace atl
