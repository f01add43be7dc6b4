#include "src/exhaustive/levels/candidates.hpp"

#include "src/exhaustive/itemsets/itemsets.hpp"

namespace atl {

std::vector<std::uint64_t> ItemsetLevels::by_length(const ItemsetLimits& limits) const {
  std::vector<std::uint64_t> sets(levels.size() + 1);
  for (std::size_t l = 0; l < levels.size(); ++l) sets[l + 1] = levels[l].sets();
  return asked_lengths(std::move(sets), limits);
}

void ItemsetLevels::hand_over(const ItemsetLimits& limits, ItemsetSink& sink) const {
  struct Range {
    std::uint32_t next, end;
  };
  if (levels.empty()) return;
  std::vector<Range> path{{0, levels[0].sets()}};  // of each level what is still to come
  while (true) {
    if (path.back().next == path.back().end) {
      path.pop_back();
      if (path.empty()) return;
      sink.remove();
      continue;
    }
    const std::size_t length = path.size();
    const ItemsetLevel& level = levels[length - 1];
    const std::uint32_t set = path.back().next++;
    sink.add(names_[level.ranks[set]]);
    if (length >= limits.min_length) sink.found(level.supports[set]);
    if (length < levels.size()) {
      path.push_back({level.first_child[set], level.first_child[set + 1]});
    } else {
      sink.remove();
    }
  }
}

}  // namespace atl
