#include "src/results/history.hpp"

#include <algorithm>
#include <iterator>

namespace atl {

void add_to_history(std::vector<HistoryRow>& history, std::vector<HistoryRow> rows) {
  std::sort(rows.begin(), rows.end(), precedes);
  const auto middle = static_cast<std::ptrdiff_t>(history.size());
  std::move(rows.begin(), rows.end(), std::back_inserter(history));
  std::inplace_merge(history.begin(), history.begin() + middle, history.end(), precedes);
}

}  // namespace atl
