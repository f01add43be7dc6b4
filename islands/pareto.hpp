// Preset `pareto`: NSGA-II (Deb et al. 2002) on measures of interest and length.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

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
  /// Remembers those that meet the constraints and are not crowded out.
  std::span<const Individual> survive(IslandState& state, Offspring offspring) override;
  /// Feasible before infeasible, these by less violation. Of the feasible, those that say what
  /// better ones say come last: the same counts for the same consequent, or the third of a
  /// structure (niche.hpp). The others take turns: the next by front and crowding, then the next
  /// of the best on each consequent by the archive's measure, the second best on each, and so on.
  /// Ties in the rules' order.
  void rank(std::vector<Individual>& population) override;
  bool admits(const ContingencyTable& table) const override;

 private:
  struct Key {
    std::uint32_t slot = 0;
    double violation = 0;
    double value = 0;  // of the archive's measure
    Niche niche;
    bool crowded_out = false;
  };

  void sort_by_front(std::span<const Individual> population, std::span<Key> keys);
  std::span<Key> clear(std::span<const Individual> population, std::span<Key> keys);
  void take_turns(std::span<Key> keys);
  Derivation cross_and_mutate(const IslandState& state, std::uint32_t generation,
                              std::uint32_t slot) const;

  const Experiment& experiment_;
  const BoundGrammar& grammar_;
  Constraints constraints_;
  std::vector<Measure> maximize_;
  Measure archive_by_;

  RuleIndex index_;
  NondominatedSort sort_;
  Objectives objectives_;
  std::vector<double> distance_;
  std::vector<std::uint32_t> order_;
  std::vector<Key> sorted_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> varied_;  // round, key
  std::map<std::uint64_t, std::uint32_t> seen_;                  // of each consequent
  std::vector<bool> taken_;
  NicheQuota same_counts_;
  NicheQuota same_structure_;
  std::vector<Key> keys_;
};

}  // namespace atl
