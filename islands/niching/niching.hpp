// Preset `niching`: niches by coverage, each slot of a population after one of the objectives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "islands/algorithm.hpp"
#include "islands/algorithms.hpp"
#include "islands/niching/breeder.hpp"
#include "islands/niching/niching_state.hpp"
#include "islands/population.hpp"
#include "src/measures/measures.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/sampling/similarity_table.hpp"

namespace atl {

AlgorithmParts niching_parts();

class Niching final : public Algorithm {
 public:
  /// @throws UsageError for an unknown measure or one that cannot steer
  Niching(const Experiment& experiment, const BoundGrammar& grammar, Resident& resident);

  /// The rows of the samples that it breeds by.
  static std::vector<std::uint64_t> rows_looked_at(const Experiment& experiment,
                                                   const Dataset& dataset);

  OwnState save() const override { return encode(own_); }
  void load(const OwnState& own) override { own_ = decode_niching_state(own); }
  std::vector<Individual> individuals_in(const OwnState& own) const override;
  const NichingState& own() const noexcept { return own_; }
  void complete(IslandState& state) override;
  CountingOptions options() const override;
  /// The first population, and one after a restart, is seeded from rows of the sample, preferably
  /// such as former populations covered least.
  Step breed(IslandState& state, std::uint32_t generation, Offspring& offspring) override;
  bool ready() const override { return breeder_.ready(); }
  double fit_seconds() const override { return breeder_.fit_seconds(); }
  /// Restricted tournament (Harik 1995): each of the offspring meets the individual most similar to
  /// it by coverage, or, if it is like none, the weakest of a few, and takes its place if it is
  /// better by the objective of its slot. Offers all that meet the constraints.
  void replace(IslandState& state, Offspring& offspring, std::uint32_t generation,
               const Offer& offer) override;
  /// The best: in turns by each objective.
  std::vector<std::size_t> emigrants(const IslandState& state, std::size_t count,
                                     RandomStream& stream) override;
  void remove(IslandState& state, std::span<const std::size_t> slots) override;
  /// The worst: in turns by each objective. The most similar: by coverage, as in replace().
  std::vector<std::uint32_t> immigrate(IslandState& state,
                                       std::span<const Individual* const> immigrants,
                                       std::uint32_t generation) override;
  bool admits(const Individual& individual) const override { return individual.violation == 0; }
  std::span<const Measure> measures() const override { return maximize_; }

 private:
  RandomStream stream(const IslandState& state, std::uint32_t generation, std::uint32_t slot,
                      Purpose purpose) const;
  std::size_t objective_of(std::size_t slot) const { return slot % maximize_.size(); }
  static bool better(const Individual& a, const Individual& b, std::size_t objective);
  /// Is the individual of the first slot the better?
  bool better(const IslandState& state, std::size_t a, std::size_t b, std::size_t objective) const;
  /// Notes what its counts say of it.
  void judge(Individual& individual) const;
  /// Makes the rules of individuals the candidates of similarity_.
  template <typename Individuals>
  void compare(const Individuals& individuals);
  /// @param number  of the candidate in similarity_
  /// @return the slot that the candidate takes, if it takes one
  std::optional<std::size_t> compete(IslandState& state, const Individual& candidate,
                                     std::size_t number, RandomStream& stream);
  /// Puts the candidate in a slot of the population, or behind the last.
  void settle(IslandState& state, const Individual& candidate, std::size_t number,
              std::size_t slot);
  void note_standing(const Individual& individual, std::size_t slot);
  void restart(const IslandState& state);
  void seed(const IslandState& state, std::uint32_t generation, std::uint32_t slot,
            Individual& child);

  const Experiment& experiment_;
  const BoundGrammar& grammar_;
  std::shared_ptr<const CoverageSample> sample_;
  CountingOptions options_;
  Constraints constraints_;
  std::vector<Measure> maximize_;
  Measure archive_by_;
  std::unique_ptr<SimilarityTable> similarity_;  // its members are the population
  Breeder breeder_;

  NichingState own_;
  bool breeding_ = false;  // is a round under way?
  /// [slot][1 + objectives] violation and values, side by side because contests look at many
  std::vector<double> standings_;
  RuleIndex index_;
  std::vector<std::size_t> without_;  // slots of the offspring for which there is no rule
  std::vector<const Rule*> rules_;    // of compare()
};

}  // namespace atl
