#include "islands/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "islands/operators.hpp"
#include "islands/selection.hpp"
#include "islands/steering.hpp"

namespace atl {

namespace {

// Individuals of one niche that are ranked by merit; docs/algorithms.md says how it was chosen.
constexpr std::uint32_t niche_quota = 2;

// Values that do not exist are the worst there is.
double objective(Measure measure, const ContingencyTable& table) {
  const double value = evaluate(measure, table);
  return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
}

}  // namespace

Pareto::Pareto(const Experiment& experiment, const BoundGrammar& grammar)
    : experiment_(experiment),
      grammar_(grammar),
      constraints_{experiment.min_support, experiment.min_confidence, experiment.max_consequent,
                   true},
      maximize_(steering_measures(experiment)) {}

EvaluateOptions Pareto::options() const {
  EvaluateOptions options;
  options.exclude_missing_consequent = experiment_.missing_consequent == MissingConsequent::exclude;
  return options;
}

bool Pareto::admits(const ContingencyTable& table) const {
  return constraints_.met(table);
}

Derivation Pareto::cross_and_mutate(const IslandState& state, std::uint32_t generation,
                                    std::uint32_t slot) const {
  const auto stream = [&](Purpose purpose) {
    return RandomStream({experiment_.seed, state.island, generation, slot, purpose});
  };
  RandomStream select = stream(Purpose::select);
  const auto& first = state.population[tournament(state.population.size(), select)];
  const auto& second = state.population[tournament(state.population.size(), select)];

  Derivation child = first.derivation;
  RandomStream cross = stream(Purpose::crossover);
  const bool crossed =
      cross.chance(experiment_.crossover) && exchange(grammar_, child, second.derivation, cross);
  RandomStream change = stream(Purpose::mutate);
  if (!crossed || change.chance(experiment_.mutation)) mutate(grammar_, child, change);
  return child;
}

Offspring Pareto::breed(const IslandState& state, std::uint32_t generation) {
  Offspring offspring;
  offspring.fresh.reserve(experiment_.population);
  index_.reset(state.population.size() + experiment_.population);
  index_.add_all(state.population);
  for (std::uint32_t slot = 0; slot < experiment_.population; ++slot) {
    Individual child;
    child.derivation = cross_and_mutate(state, generation, slot);
    RandomStream replace({experiment_.seed, state.island, generation, slot, Purpose::replace});
    if (!make_distinct(grammar_, index_, replace, child)) continue;
    offspring.fresh.push_back(std::move(child));
    index_.add(offspring.fresh.back());
  }
  return offspring;
}

void Pareto::survive(IslandState& state, Offspring offspring) {
  auto& population = state.population;
  population.insert(population.end(), std::make_move_iterator(offspring.fresh.begin()),
                    std::make_move_iterator(offspring.fresh.end()));
  rank(population);
  if (population.size() > experiment_.population) population.resize(experiment_.population);
}

void Pareto::rank(std::vector<Individual>& population) {
  keys_.resize(population.size());
  for (std::uint32_t i = 0; i < keys_.size(); ++i) keys_[i] = {0, false, 0, 0, i};
  // From here on everything is in the rules' order, so that stable sorts break ties by it.
  std::sort(keys_.begin(), keys_.end(), [&](const Key& a, const Key& b) {
    const auto order = population[a.slot].rule <=> population[b.slot].rule;
    return order != 0 ? order < 0 : a.slot < b.slot;
  });

  feasible_.clear();
  objectives_.count = maximize_.size() + 1;
  objectives_.values.clear();
  for (std::uint32_t i = 0; i < keys_.size(); ++i) {
    const Individual& individual = population[keys_[i].slot];
    const ContingencyTable& table = individual.counts.table;
    keys_[i].violation = constraints_.violation(table);
    if (keys_[i].violation > 0) continue;
    feasible_.push_back(i);
    for (const Measure measure : maximize_) {
      objectives_.values.push_back(objective(measure, table));
    }
    objectives_.values.push_back(-static_cast<double>(individual.rule.comparisons()));
  }
  distance_.resize(feasible_.size());
  std::uint32_t number = 0;
  for (const auto& front : sort_(objectives_)) {
    crowding_distance(objectives_, front, distance_);
    for (const std::uint32_t point : front) {
      keys_[feasible_[point]].front = number;
      keys_[feasible_[point]].crowding = distance_[point];
    }
    ++number;
  }

  const auto before = [](const Key& a, const Key& b) {
    if (a.violation != b.violation) return a.violation < b.violation;
    if (a.crowded_out != b.crowded_out) return b.crowded_out;
    if (a.front != b.front) return a.front < b.front;
    return a.crowding > b.crowding;
  };
  std::stable_sort(keys_.begin(), keys_.end(), before);
  // Clearing (Petrowski 1996): whoever comes after the best of its niche makes room for others.
  quota_.reset(feasible_.size());
  for (std::size_t i = 0; i < feasible_.size(); ++i) {
    const Rule& rule = population[keys_[i].slot].rule;
    keys_[i].crowded_out = !quota_.admit(niche(rule, grammar_.attributes()), niche_quota);
  }
  std::stable_sort(keys_.begin(), keys_.end(), before);

  std::vector<Individual> ranked;
  ranked.reserve(population.size());
  for (const Key& key : keys_) ranked.push_back(std::move(population[key.slot]));
  population = std::move(ranked);
}

}  // namespace atl
