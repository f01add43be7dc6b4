// Tells what the lists of a search are worth, to see whether it still gains.
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "islands/rule_sets/rule_set_results.hpp"

namespace atl {
namespace {

/// Half a row counts as wrong where none is.
double turned(double wrong, double rows) {
  return 1 / std::max(wrong, 0.5 / rows);
}

/// Weight that the fittest list of a front loses, in rows that it gets wrong and in what its
/// comparisons cost, as a share of all rows; all of it without a list.
double least_loss(std::span<const std::optional<SampledList>> front, const ListJudge& judge) {
  double least = 1;
  for (const auto& list : front) {
    if (list) least = std::min(least, 1 - list->fitness / correct_of(*list, judge, {}).all);
  }
  return least;
}

}  // namespace

// The mean over prices, as any of them may have the list that is chosen.
std::array<double, 2> RuleSetResults::worth() const {
  double loss = 0, prices = 0;
  for (std::size_t p = 0; p < fronts_.size(); ++p) {
    if (search_.parts[p].without) continue;
    loss += least_loss(fronts_[p], search_.judge);
    ++prices;
  }
  const ListFront best = front();
  const auto& decided = best.rows.front().counts.decided;
  const auto rows = static_cast<double>(std::accumulate(decided.begin(), decided.end(), 0ULL));
  std::optional<double> unseen;
  for (const ListFrontRow& row : best.rows) unseen = std::max(unseen, row.unseen);
  return {unseen ? turned(1 - *unseen, rows) : 0, turned(loss / prices, rows)};
}

}  // namespace atl
