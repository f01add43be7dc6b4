#include "src/results/written/quantiles.hpp"

#include <algorithm>
#include <cstdint>

namespace atl {
namespace {

/// Codes among which a quantile is looked for; it is `high` when there is only one left.
struct Search {
  std::uint32_t low = 0, high = 0;
  std::uint64_t rows = 0;  ///< that have a value

  std::uint32_t middle() const noexcept { return low + (high - low) / 2; }
  void halve(std::uint64_t up_to_middle, double share) noexcept {
    if (low == high) return;
    const auto below = static_cast<double>(up_to_middle) / static_cast<double>(rows);
    (below >= share ? high : low) = below >= share ? middle() : middle() + 1;
  }
};

}  // namespace

std::vector<Quantiles> count_quantiles(std::span<const Rule> rules, const Experiment& experiment,
                                       std::span<const Attribute> attributes, Resident& resident) {
  if (!experiment.aim.concludes_quantile()) return {};
  const auto target = experiment.aim.numeric_target();
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& a) { return a.name == target->attribute; });
  const auto attribute = static_cast<std::uint32_t>(found - attributes.begin());
  const std::uint32_t last = found->distinct() - 1;
  // Two searches for each rule: its rows, and the others.
  std::vector<Search> searches(2 * rules.size(), {0, last, 0});
  std::vector<Rule> up_to(searches.size());
  std::vector<RuleStatistics> counts;
  const auto count = [&](const auto& bound) {
    for (std::size_t i = 0; i < searches.size(); ++i)
      up_to[i] = {rules[i / 2].antecedent,
                  Expression::of({attribute, 0, bound(searches[i]), false})};
    counts = resident.count(up_to, {});
  };
  const auto rows = [&](std::size_t i) {
    const ContingencyTable& table = counts[i].table;
    return i % 2 == 0 ? table.n_both : table.n_consequent - table.n_both;
  };
  count([](const Search& search) { return search.high; });
  for (std::size_t i = 0; i < searches.size(); ++i) searches[i].rows = rows(i);
  for (std::uint32_t left = last; left != 0; left /= 2) {
    count([](const Search& search) { return search.middle(); });
    for (std::size_t i = 0; i < searches.size(); ++i) searches[i].halve(rows(i), target->share);
  }
  std::vector<Quantiles> quantiles(rules.size());
  for (std::size_t i = 0; i < searches.size(); ++i) {
    if (searches[i].rows == 0) continue;
    (i % 2 == 0 ? quantiles[i / 2].within : quantiles[i / 2].rest) = found->low[searches[i].high];
  }
  return quantiles;
}

}  // namespace atl
