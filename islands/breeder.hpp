// How `pareto` makes children.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "islands/individual.hpp"
#include "islands/population.hpp"
#include "islands/run_state.hpp"
#include "src/eval/coverage_sample.hpp"

namespace atl {

/// Makes derivations; no counts are needed, only the sample. The arguments must outlive it.
class Breeder {
 public:
  /// @param goal  what an antecedent's comparisons are fitted to; empty: its rule's consequent
  Breeder(const BoundGrammar& grammar, const CoverageSample& sample, Expression goal)
      : grammar_(grammar), sample_(sample), goal_(std::move(goal)) {}

  /// A derivation that holds on a row of the sample, the least covered of a few.
  void seed(const IslandState& state, RandomStream& stream, Derivation& child) const;
  /// A child of the population's individual in slot child.parent, by an operation drawn by its
  /// success, entered into the index. False where a few attempts give no rule that the index lacks:
  /// then the child is a seed without a rule yet, and not in the index.
  /// @param child  stays where it is as long as the index is used
  /// @pre the state's coverage is up to date
  bool breed(const IslandState& state, RandomStream& stream, RuleIndex& index,
             Individual& child) const;

 private:
  bool apply(Operation operation, const IslandState& state, std::size_t parent, Derivation& child,
             RandomStream& stream) const;
  void anchor(const IslandState& state, std::size_t parent, Derivation& child,
              RandomStream& stream) const;
  void fit_new(const Derivation& parent, Derivation& child) const;
  bool fit(Derivation& child, std::size_t node) const;

  const BoundGrammar& grammar_;
  const CoverageSample& sample_;
  Expression goal_;
};

}  // namespace atl
