#include "src/bench/quest_data.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace atl {

TransactionSet quest_transactions(const QuestOptions& options, std::uint64_t count) {
  const QuestSource source(options);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < options.items; ++i) names.push_back(std::to_string(i));
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> items;
  for (std::uint64_t first = 0; first < count; first += slice_rows) {
    source.make({first, std::min<std::uint64_t>(first + slice_rows, count)},
                [&](std::span<const std::uint32_t> transaction) {
                  items.insert(items.end(), transaction.begin(), transaction.end());
                  starts.push_back(items.size());
                });
  }
  return {std::move(names), std::move(starts), std::move(items)};
}

}  // namespace atl
