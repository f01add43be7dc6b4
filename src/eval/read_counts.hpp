#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "src/eval/batch.hpp"
#include "src/eval/rule_counts.hpp"

namespace atl {

/// Writes what was counted of a batch for whoever submitted it.
/// @param rows  of the dataset
/// @param known  [present sets] rows on which all of the set have a value
/// @param counts  rules[rule * 3], sums[rule] and hashes[rule * 2], those that the options want, in
///                the batch's order
/// @param support  of a comparison of the batch, called only if the options want it
/// @param squares  likewise of a rule, LevelSums::squares
/// @param out  [rules] as they came; reuses what it has allocated
template <typename Counts, typename Support, typename Squares>
void read_counts(const Batch& batch, std::uint64_t rows, std::span<const std::uint64_t> known,
                 const Counts& counts, const Support& support, const Squares& squares,
                 std::span<RuleCounts> out) {
  const CountingOptions& options = batch.options();
  assert(out.size() == batch.rules().size());
  const Operand* operand = batch.operands().data();
  for (std::size_t r = 0; r < out.size(); ++r) {
    const CompiledRule& rule = batch.rules()[r];
    RuleCounts& to = out[rule.index];
    const std::uint64_t present = known[rule.present_set];
    to.n = options.exclude_missing_consequent ? present : rows;
    to.antecedent = counts.rules[r * 3];
    to.consequent = counts.rules[r * 3 + 1];
    to.both = counts.rules[r * 3 + 2];
    to.missing_consequent = rows - present;
    to.sum = options.mean ? counts.sums[r] : 0;
    to.set_squares(options.mean && options.mean->deviations ? squares(r) : LevelSums::Wide{0});
    to.comparison_supports.clear();
    if (options.comparison_supports) {
      for (std::uint32_t c = 0; c < rule.comparisons; ++c, ++operand) {
        const std::uint64_t holds = support(operand->comparison);
        to.comparison_supports.push_back(operand->complement ? rows - holds : holds);
      }
    }
    to.coverage_hash = {0, 0};
    if (options.coverage_hashes) {
      to.coverage_hash = {counts.hashes[r * 2], counts.hashes[r * 2 + 1]};
    }
  }
}

}  // namespace atl
