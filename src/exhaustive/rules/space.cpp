#include "src/exhaustive/rules/space.hpp"

#include <limits>
#include <vector>

namespace atl {

namespace {

__extension__ using Wide = unsigned __int128;
constexpr Wide most = std::numeric_limits<std::uint64_t>::max();

/// [m] sets of m items on different attributes, the elementary symmetric polynomial.
std::vector<Wide> itemsets_of(std::span<const std::uint32_t> items, std::uint32_t max_length) {
  std::vector<Wide> itemsets(max_length + 1, 0);
  itemsets[0] = 1;
  for (const std::uint32_t own : items) {
    for (std::uint32_t m = max_length; m >= 1; --m) {
      itemsets[m] += itemsets[m - 1] * own;
      if (itemsets[m] > most) itemsets[m] = most;
    }
  }
  return itemsets;
}

}  // namespace

std::uint64_t space_size(std::span<const std::uint32_t> items, std::uint32_t max_length) {
  const std::vector<Wide> itemsets = itemsets_of(items, max_length);
  Wide rules = itemsets[2];
  for (std::uint32_t m = 3; m <= max_length; ++m) rules += itemsets[m] * m;
  return static_cast<std::uint64_t>(rules < most ? rules : most);
}

std::uint64_t space_size(const Items& items, std::uint32_t max_length) {
  if (!items.aimed()) return space_size(items.by_attribute(), max_length);
  Wide rules = 0;
  std::size_t first = 0;  // item of the attribute
  const auto all = items.by_attribute();
  for (std::size_t a = 0; a < all.size(); first += all[a++]) {
    std::uint64_t concluded = 0;
    for (std::size_t i = 0; i < all[a]; ++i) {
      concluded += items.is_concluded(static_cast<Item>(first + i)) ? 1 : 0;
    }
    if (concluded == 0) continue;
    std::vector<std::uint32_t> others(all.begin(), all.end());
    others[a] = 0;
    const std::vector<Wide> antecedents = itemsets_of(others, max_length - 1);
    for (std::uint32_t m = 1; m < max_length; ++m) rules += antecedents[m] * concluded;
    rules = rules < most ? rules : most;
  }
  return static_cast<std::uint64_t>(rules);
}

}  // namespace atl
