// Preset `g3parm`, after Luna, Romero, Ventura 2012: "Design and behavior study of a grammar-guided
// genetic programming algorithm for mining association rules". docs/concepts/g3parm.md tells what
// is theirs and what is ours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "islands/algorithm.hpp"
#include "islands/algorithms.hpp"
#include "islands/population.hpp"
#include "src/config/experiment.hpp"
#include "src/results/archive/constraints.hpp"

namespace atl {

/// [experiment.g3parm]
struct G3parmSettings {
  double crossover = 0, mutation = 0;  ///< probabilities
  std::uint32_t pool = 0;              ///< good rules kept as parents

  explicit G3parmSettings(const Experiment& experiment);
};

AlgorithmParts g3parm_parts();

/// The standing that an individual is ranked by.
struct Standing {
  double fitness;
  double confidence;
  Individual* individual;
};

/// The comparisons of a derivation.
struct Weights {
  Positions nodes;                          ///< as comparison_nodes() gives them
  SmallVector<std::uint64_t, 12> supports;  ///< rows on which each of them holds
};

/// One of two, weighed once for both children.
struct Parent {
  const Individual& individual;
  Weights weights;  ///< empty where no child asks for them
};

class G3parm final : public Algorithm {
 public:
  G3parm(const Experiment& experiment, const BoundGrammar& grammar);

  /// The pool.
  OwnState save() const override;
  void load(const OwnState& own) override { pool_ = individuals_in(own); }
  std::vector<Individual> individuals_in(const OwnState& own) const override;
  std::span<const Individual> pool() const noexcept { return pool_; }
  CountingOptions options() const override;
  Step breed(IslandState& state, std::uint32_t generation, Offspring& offspring) override;
  /// The offspring are the next population; the pool keeps the best it has seen of the rules that
  /// meet the thresholds. Offers what enters the pool.
  void replace(IslandState& state, Offspring& offspring, std::uint32_t generation,
               const Offer& offer) override;
  std::vector<std::size_t> emigrants(const IslandState& state, std::size_t count,
                                     RandomStream& stream) override;
  void remove(IslandState& state, std::span<const std::size_t> slots) override;
  std::vector<std::uint32_t> immigrate(IslandState& state,
                                       std::span<const Individual* const> immigrants,
                                       std::uint32_t generation) override;
  /// Ranks by support, rules with an empty or full side last; ties by confidence, then the rules'
  /// order.
  void rank(std::vector<Individual>& population);
  bool admits(const Individual& individual) const override;

 private:
  RandomStream stream(const IslandState& state, std::uint32_t generation, std::uint32_t slot,
                      Purpose purpose) const;
  /// Makes a child of the first parent, with something of the second if they cross, and adds it to
  /// the offspring unless no distinct rule is found.
  void add_child(const Parent& own, const Parent& other, bool crosses, RandomStream change,
                 RandomStream replace, Offspring& offspring);
  void fill_pool(IslandState& state, const Offer& offer);
  const Individual& select_parent(IslandState& state, RandomStream& stream);

  const Experiment& experiment_;
  G3parmSettings settings_;
  const BoundGrammar& grammar_;
  Constraints constraints_;
  RuleIndex held_;      // population and pool
  RuleIndex siblings_;  // the offspring so far
  std::vector<Standing> standings_;
  std::vector<Individual> pool_;       // good rules beside the population, ranked
  std::vector<Individual> next_pool_;  // while it is made
};

/// Finds each comparison's support among those that were counted for the canonical rule. One that
/// was merged with others of its attribute has the merged one's support.
/// @pre individual.statistics.comparison_supports is filled
Weights weigh(const BoundGrammar& grammar, const Individual& individual);

/// Replaces the comparison of lowest support by the donor's of highest support, or the next highest
/// where the grammar does not take that. The leftmost of equal ones. False if none fits.
/// @param weights  of the child; its supports change as well, its nodes do not
bool crossover_by_support(const BoundGrammar& grammar, Derivation& child, Weights& weights,
                          const Derivation& donor, const Weights& donor_weights);

/// Derives the comparison of lowest support anew, the leftmost of equal ones.
/// @param supports  of the child's comparisons
bool mutate_weakest(const BoundGrammar& grammar, Derivation& child,
                    std::span<const std::uint64_t> supports, RandomStream& stream);

}  // namespace atl
