// How `niching` makes children.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "islands/individual.hpp"
#include "islands/population.hpp"
#include "islands/rule_state.hpp"
#include "src/sampling/interval_fitter.hpp"
#include "src/sampling/similarity_table.hpp"

namespace atl {

/// The rows that fits look at: in proportion to what evaluation costs, but enough to see something.
IntervalRows rows_to_fit(const Dataset& dataset);

/// Makes derivations; no counts are needed, only samples of the rows. The arguments must outlive
/// it.
class Breeder {
 public:
  /// @param members  coverages of the population that is bred from, slot by slot, by `sample`
  /// @param goal  what an antecedent's comparisons are fitted to; empty: its rule's consequent
  Breeder(const BoundGrammar& grammar, const CoverageSample& sample, const SimilarityTable& members,
          std::unique_ptr<IntervalFitter> fitter, Expression goal);

  /// A derivation that holds on a row of the sample, the least covered of a few.
  void seed(const IslandState& state, RandomStream& stream, Derivation& child) const;
  /// A child of the population's individual in slot child.parent, by an operation drawn by its
  /// success, entered into the index. False where a few attempts give no rule that the index lacks:
  /// then the child is a seed without a rule yet, and not in the index.
  /// @param child  stays where it is as long as the index is used
  bool breed(const IslandState& state, RandomStream& stream, RuleIndex& index, Individual& child);
  /// Spent on fits so far.
  double fit_seconds() const noexcept { return fit_seconds_; }

 private:
  /// A change that is looked into.
  struct Trial {
    Derivation child;
    Positions fresh = {};                 // its new comparisons
    std::optional<std::size_t> row = {};  // of the sample, that they are to hold on
    bool refine_threshold = false;
    Rule rule = {};                        // that the child stands for
    SmallVector<Comparison, 8> rest = {};  // with which a new comparison has to hold
  };

  /// What an operation changes.
  struct Change {
    const IslandState& state;
    std::size_t parent;        // slot
    const Derivation& origin;  // of the parent
    Derivation& child;         // equals the origin at first
    RandomStream& stream;
  };

  /// False if the operation cannot be done, or changes nothing.
  bool apply(Operation operation, Change& change);
  bool subtree_crossover(Change& change);
  bool rederive(Change& change);
  bool grow(Change& change);
  bool shrink(Change& change);
  bool perturb(Change& change);
  bool rederive_fitted(Change& change);
  bool grow_fitted(Change& change);
  bool refit(Change& change);
  /// Of several changes it takes the one whose first new comparison, once fitted, parts the rows
  /// best, and then fits what else is new in it. Half of the fits are held to a row on which the
  /// consequent and `side` hold, because what gains most is not all there is.
  /// @param make  changes a derivation that equals the origin; false if it cannot
  template <typename Make>
  bool best_fitted(Change& change, std::span<const std::uint64_t> side, const Make& make);

  static std::size_t any_node(const Change& change);
  std::size_t any_comparison(const Change& change) const;
  std::size_t any_operand(const Change& change) const;
  /// Of the sample, drawn from the rows in both.
  std::optional<std::size_t> common_row(std::span<const std::uint64_t> a,
                                        std::span<const std::uint64_t> b,
                                        RandomStream& stream) const;
  void repair(Change& change) const;
  static void note_rest(Trial& trial, const Expression& side,
                        std::span<const std::size_t> fitted_from_here);
  Positions new_comparisons(const Derivation& parent, const Derivation& child) const;
  std::optional<IntervalTrial> question(Trial& trial, std::size_t which) const;
  bool fit(Trial& trial, std::size_t which);
  void take(Trial& trial, std::size_t which, const std::optional<FittedInterval>& interval) const;

  const BoundGrammar& grammar_;
  const CoverageSample& sample_;
  const SimilarityTable& members_;
  std::unique_ptr<IntervalFitter> fitter_;
  std::vector<Trial> trials_;
  std::vector<std::optional<IntervalTrial>> questions_;  // of trials
  Expression goal_;
  double fit_seconds_ = 0;
};

}  // namespace atl
