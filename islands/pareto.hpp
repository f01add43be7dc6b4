// Preset `pareto`: NSGA-II (Deb et al. 2002) on measures of interest and length.
#pragma once

#include "islands/algorithm.hpp"
#include "islands/constraints.hpp"
#include "islands/niche.hpp"
#include "islands/nondominated_sort.hpp"
#include "islands/population.hpp"
#include "src/rules/measures.hpp"

namespace atl {

class Pareto final : public Algorithm {
 public:
  /// @throws UsageError for an unknown measure or one that cannot steer
  Pareto(const Experiment& experiment, const BoundGrammar& grammar);

  EvaluateOptions options() const override;
  Offspring breed(const IslandState& state, std::uint32_t generation) override;
  void survive(IslandState& state, Offspring offspring) override;
  /// Feasible before infeasible, these by less violation; feasible ones by front, then the less
  /// crowded; all ties by the rules' order.
  void rank(std::vector<Individual>& population) override;
  bool admits(const ContingencyTable& table) const override;

 private:
  struct Key {
    double violation = 0;
    bool crowded_out = false;
    std::uint32_t front = 0;
    double crowding = 0;
    std::uint32_t slot = 0;
  };

  Derivation cross_and_mutate(const IslandState& state, std::uint32_t generation,
                              std::uint32_t slot) const;

  const Experiment& experiment_;
  const BoundGrammar& grammar_;
  Constraints constraints_;
  std::vector<Measure> maximize_;

  RuleIndex index_;
  NondominatedSort sort_;
  Objectives objectives_;
  std::vector<std::uint32_t> feasible_;
  std::vector<double> distance_;
  NicheQuota quota_;
  std::vector<Key> keys_;
};

}  // namespace atl
