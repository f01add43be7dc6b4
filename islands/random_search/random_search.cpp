#include "islands/random_search/random_search.hpp"

#include <utility>

#include "islands/exchange.hpp"
#include "islands/population.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/results/archive/steering.hpp"
#include "src/sampling/coverage_sample.hpp"

namespace atl {
namespace {

constexpr AlgorithmKey random_search_keys[] = {max_consequent_key};

class RandomSearch final : public Algorithm {
 public:
  RandomSearch(const Experiment& experiment, const BoundGrammar& grammar,
               std::span<const Attribute> attributes, std::shared_ptr<const CoverageSample> sample)
      : experiment_(experiment),
        grammar_(grammar),
        sample_(std::move(sample)),
        options_(counting_options(experiment, attributes)),
        constraints_(constraints_of(experiment, attributes)) {}

  CountingOptions options() const override { return options_; }
  bool admits(const Individual& individual) const override {
    return constraints_.met(individual.statistics.table);
  }

  Step breed(IslandState& state, std::uint32_t generation, Offspring& offspring) override {
    offspring.fresh = derive_population(grammar_, experiment_.seed, state.island,
                                        experiment_.population, generation);
    return Step::done;
  }

  void replace(IslandState& state, Offspring& offspring, std::uint32_t,
               const Offer& offer) override {
    for (const Individual& individual : offspring.fresh) {
      if (!admits(individual)) continue;
      offer(individual, sample_->first_row(individual.rule.antecedent));
    }
    state.population.swap(offspring.fresh);
  }

  // No individual is better than another: the first are as good as any.
  std::vector<std::size_t> emigrants(const IslandState& state, std::size_t count,
                                     RandomStream& stream) override {
    return choose_emigrants(state.population.size(), count, experiment_.emigrants, stream,
                            [](std::size_t a, std::size_t b) { return a < b; });
  }

  void remove(IslandState& state, std::span<const std::size_t> slots) override {
    erase_slots(state.population, slots);
  }

  std::vector<std::uint32_t> immigrate(IslandState&, std::span<const Individual* const> immigrants,
                                       std::uint32_t) override {
    return std::vector<std::uint32_t>(immigrants.size(), Move::nowhere);
  }

 private:
  const Experiment& experiment_;
  const BoundGrammar& grammar_;
  std::shared_ptr<const CoverageSample> sample_;
  CountingOptions options_;
  Constraints constraints_;
};

std::vector<std::unique_ptr<Algorithm>> make_random_search(const Experiment&,
                                                           std::span<const IslandAim> islands,
                                                           Resident& resident) {
  std::vector<std::unique_ptr<Algorithm>> made;
  const auto sample = resident.coverage_sample();
  for (const IslandAim& aim : islands) {
    made.push_back(std::make_unique<RandomSearch>(*aim.experiment, *aim.grammar,
                                                  resident.dataset().attributes(), sample));
  }
  return made;
}

std::vector<std::uint64_t> rows_of_sample(const Experiment&, const Dataset& dataset) {
  return CoverageSample::rows_of(dataset);
}

}  // namespace

AlgorithmParts random_search_parts() {
  return {.keys = random_search_keys,
          .traits = {.associations = true, .means = true, .names_buckets = true},
          .make = make_random_search,
          .rows_looked_at = rows_of_sample};
}

}  // namespace atl
