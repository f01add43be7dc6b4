#include "src/eval/rule_counter.hpp"

#include <cassert>
#include <cstddef>

namespace atl {

RuleCounts& RuleCounts::operator+=(const RuleCounts& other) noexcept {
  assert(comparison_supports.size() == other.comparison_supports.size());
  n += other.n;
  antecedent += other.antecedent;
  consequent += other.consequent;
  both += other.both;
  missing_consequent += other.missing_consequent;
  sum += other.sum;
  squares_low += other.squares_low;
  squares_high += other.squares_high;
  for (std::size_t c = 0; c < comparison_supports.size(); ++c)
    comparison_supports[c] += other.comparison_supports[c];
  for (std::size_t side = 0; side < coverage_hash.size(); ++side)
    coverage_hash[side] += other.coverage_hash[side];
  return *this;
}

RuleStatistics statistics_of(const RuleCounts& counts, const CountingOptions& options,
                             const TargetTotals* target) {
  RuleStatistics statistics;
  statistics.table = {counts.n, counts.antecedent, counts.consequent, counts.both};
  if (options.mean) {
    const LevelSums both{counts.both, counts.sum,
                         (LevelSums::Wide{counts.squares_high} << 32) + counts.squares_low};
    statistics.table.target = target_moments(*target, *options.mean, both);
  }
  statistics.missing_consequent = counts.missing_consequent;
  statistics.comparison_supports = counts.comparison_supports;
  statistics.coverage_hash = counts.coverage_hash;
  return statistics;
}

}  // namespace atl
