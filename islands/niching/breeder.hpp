// Makes the children of `niching`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "islands/niching/fitted_trials.hpp"
#include "islands/population.hpp"
#include "islands/rule_bytes.hpp"
#include "src/sampling/interval_fitter.hpp"
#include "src/sampling/similarity_table.hpp"

namespace atl {

/// Rows that fits look at, on which the rest of a rule's side holds; 0: all.
struct FitRows {
  std::uint32_t first = 0;  ///< to compare all changes
  std::uint32_t last = 0;   ///< to compare the best two again, and for all other fits
};
/// The rows to draw: in proportion to what evaluation costs, but enough to see something.
IntervalRows rows_to_draw(const Dataset& dataset, const FitRows& rows);

/// Makes children; no counts are needed, only samples of the rows. The children of a generation are
/// bred in rounds, so that all fits of a round are one batch. The arguments must outlive it.
class Breeder {
 public:
  /// @param members  coverages of the population that is bred from, slot by slot, by `sample`
  /// @param fitter  on the rows to draw
  /// @param goal  what an antecedent's comparisons are fitted to; empty: its rule's consequent
  Breeder(const BoundGrammar& grammar, const CoverageSample& sample, const SimilarityTable& members,
          std::unique_ptr<IntervalFitter> fitter, const FitRows& rows, Expression goal);

  /// A derivation that holds on a row of the sample, the least covered of a few.
  /// @param covered  [rows of the sample] how often each was, or empty
  void seed(std::span<const std::uint32_t> covered, RandomStream& stream, Derivation& child) const;

  /// Begins a generation, as yet without children.
  /// @param children  at most
  void begin(std::size_t children);
  /// Adds a child of the population's individual in slot child.parent.
  /// @param child  stays where it is as long as the index is used
  void add(Individual& child, const RandomStream& stream);
  /// Begins a round: each child that is neither bred nor given up, or the first of very many, is
  /// changed by an operation drawn by its success, or has another of its comparisons fitted.
  /// @param success  [operations]
  /// @return false, and nothing begun, if there is none left
  bool start_round(const IslandState& state, std::span<const double> success);
  /// Ends the round, which blocks until its fits are done. In the order in which they were added,
  /// complete children enter the index. One whose change failed or whose rule is known already
  /// tries anew in the next round; after a few attempts it is given up.
  void end_round(const IslandState& state, RuleIndex& index);
  /// Individuals that were given up, which have no rule.
  std::span<Individual* const> given_up() const noexcept { return given_up_; }

  /// Does the round wait for fits?
  bool waits() const noexcept { return fits_ != 0; }
  /// False while end_round() would certainly block.
  bool ready() const { return fits_ == 0 || fitter_->ready(); }
  /// Spent on fits so far.
  double fit_seconds() const noexcept { return fit_seconds_; }

 private:
  /// A child that is not complete.
  struct Embryo {
    Individual* child;
    RandomStream stream;
    int attempts = 0;
    bool changed = false;                      // by this round
    std::optional<std::size_t> question = {};  // of this round
    Unfitted unfitted = {};                    // what is left of former ones
  };

  /// The things that an operation changes.
  struct Change {
    const IslandState& state;
    std::size_t parent;        // slot
    const Derivation& origin;  // of the parent
    Embryo& embryo;
    Derivation& child;  // equals the origin at first
    RandomStream& stream;
  };

  void attempt(const IslandState& state, std::span<const double> success, Embryo& embryo);
  void take_answers(const IslandState& state, Embryo& embryo, std::span<const FittedGroup> fitted);
  /// Applies an operation. False if it cannot be done, or changes nothing. A fitted one only asks.
  bool apply(Operation operation, Change& change);
  bool subtree_crossover(Change& change);
  bool rederive(Change& change);
  bool grow(Change& change);
  bool shrink(Change& change);
  bool perturb(Change& change);
  bool rederive_fitted(Change& change);
  bool grow_fitted(Change& change);
  bool refit(Change& change);
  /// @param side  of rows: what is new may be held to one in it that the consequent covers, too
  bool ask(Change& change, std::size_t node, bool grows, std::span<const std::uint64_t> side);

  static std::size_t any_node(const Change& change);
  std::size_t any_comparison(const Change& change) const;
  std::size_t any_operand(const Change& change) const;
  void repair(Change& change) const;

  const BoundGrammar& grammar_;
  const CoverageSample& sample_;
  const SimilarityTable& members_;
  std::unique_ptr<IntervalFitter> fitter_;
  FittedTrials trials_;
  std::vector<Embryo> embryos_;
  std::size_t in_round_ = 0;  // of these, from the first on
  std::vector<Individual*> given_up_;
  std::size_t fits_ = 0;             // groups of this round
  std::vector<FittedGroup> fitted_;  // [fits_]
  double fit_seconds_ = 0;
};

}  // namespace atl
