// Tells what the lists of a search are worth, to see whether it still gains.
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "islands/rule_sets/rule_set_results.hpp"

namespace atl {
namespace {

/// Half a row counts as lost where none is.
double turned(double lost, double rows) {
  return 1 / std::max(lost, 0.5 / rows);
}

/// Loss of the fittest list of a front, cost of its comparisons included, for a row on average: as
/// a share of the rows, or log-loss.
double least_loss(std::span<const std::optional<SampledList>> front, const ListJudge& judge) {
  std::optional<double> least;
  const double best = judge.goal == ListGoal::classes ? 1 : 0;
  for (const auto& list : front) {
    if (!list) continue;
    const double its = best - list->fitness / correct_of(*list, judge, {}).all;
    if (!least || its < *least) least = its;
  }
  return least.value_or(1);
}

}  // namespace

// Without folds the mean over prices, as any of them may have the list that is chosen.
double RuleSetResults::worth() const {
  const ListFront best = front();
  const auto& decided = best.decided;
  const auto rows = static_cast<double>(std::accumulate(decided.begin(), decided.end(), 0ULL));
  std::optional<double> unseen;
  for (const ListFrontRow& row : best.rows) {
    if (!row.unseen) continue;
    const double its = best.log_loss ? *row.unseen : 1 - *row.unseen;
    if (!unseen || its < *unseen) unseen = its;
  }
  if (unseen) return turned(*unseen, rows);
  double loss = 0, prices = 0;
  for (std::size_t p = 0; p < fronts_.size(); ++p) {
    if (search_.parts[p].without) continue;
    loss += least_loss(fronts_[p], search_.judge);
    ++prices;
  }
  return turned(loss / prices, rows);
}

}  // namespace atl
