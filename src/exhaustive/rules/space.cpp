#include "src/exhaustive/rules/space.hpp"

#include <limits>
#include <vector>

namespace atl {

std::uint64_t space_size(std::span<const std::uint32_t> items, std::uint32_t max_length) {
  // itemsets[m]: sets of m items on different attributes, the elementary symmetric polynomial.
  std::vector<unsigned __int128> itemsets(max_length + 1, 0);
  constexpr unsigned __int128 most = std::numeric_limits<std::uint64_t>::max();
  itemsets[0] = 1;
  for (const std::uint32_t own : items) {
    for (std::uint32_t m = max_length; m >= 1; --m) {
      itemsets[m] += itemsets[m - 1] * own;
      if (itemsets[m] > most) itemsets[m] = most;
    }
  }
  unsigned __int128 rules = itemsets[2];
  for (std::uint32_t m = 3; m <= max_length; ++m) rules += itemsets[m] * m;
  return static_cast<std::uint64_t>(rules < most ? rules : most);
}

}  // namespace atl
