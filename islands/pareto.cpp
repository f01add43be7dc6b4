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

// Rules of one structure that are ranked by merit; docs/algorithms.md says how it was chosen.
constexpr std::uint32_t structure_quota = 2;

// Values that do not exist are the worst there is.
double objective(Measure measure, const ContingencyTable& table) {
  const double value = evaluate(measure, table);
  return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
}

// Differs for other consequents or counts but with a chance of about 2^-64.
std::uint64_t number_of(std::uint64_t consequent, const ContingencyTable& table) noexcept {
  const std::uint64_t sides = row_hash(consequent ^ row_hash(table.n_antecedent));
  return row_hash(row_hash(sides ^ table.n_consequent) ^ table.n_both);
}

}  // namespace

Pareto::Pareto(const Experiment& experiment, const BoundGrammar& grammar)
    : experiment_(experiment),
      grammar_(grammar),
      constraints_{experiment.min_support, experiment.min_confidence, experiment.max_consequent,
                   true},
      maximize_(steering_measures(experiment)),
      archive_by_(steering_measure(experiment.archive_by)) {}

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

std::span<const Individual> Pareto::survive(IslandState& state, Offspring offspring) {
  auto& population = state.population;
  population.insert(population.end(), std::make_move_iterator(offspring.fresh.begin()),
                    std::make_move_iterator(offspring.fresh.end()));
  rank(population);
  if (population.size() > experiment_.population) population.resize(experiment_.population);
  const auto results = std::find_if(keys_.begin(), keys_.end(), [](const Key& key) {
    return key.violation > 0 || key.crowded_out;
  });
  const auto count = static_cast<std::size_t>(results - keys_.begin());
  return std::span(population).first(std::min(count, population.size()));
}

// Orders feasible individuals that are in the rules' order: by front, then the less crowded.
void Pareto::sort_by_front(std::span<const Individual> population, std::span<Key> keys) {
  objectives_.count = maximize_.size() + 1;
  objectives_.values.clear();
  for (const Key& key : keys) {
    const Individual& individual = population[key.slot];
    for (const Measure measure : maximize_) {
      objectives_.values.push_back(objective(measure, individual.counts.table));
    }
    objectives_.values.push_back(-static_cast<double>(individual.rule.comparisons()));
  }
  distance_.resize(keys.size());
  sorted_.clear();
  for (const auto& front : sort_(objectives_)) {
    crowding_distance(objectives_, front, distance_);
    order_.assign(front.begin(), front.end());
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return distance_[a] > distance_[b]; });
    for (const std::uint32_t point : order_) sorted_.push_back(keys[point]);
  }
  std::copy(sorted_.begin(), sorted_.end(), keys.begin());
}

// Clearing (Petrowski 1996): whoever says what those before it say goes to the end.
std::span<Pareto::Key> Pareto::clear(std::span<const Individual> population, std::span<Key> keys) {
  same_counts_.reset(keys.size());
  same_structure_.reset(keys.size());
  for (Key& key : keys) {
    const std::uint64_t counts = number_of(key.niche.consequent, population[key.slot].counts.table);
    key.crowded_out = !same_counts_.admit(counts, 1) ||
                      !same_structure_.admit(key.niche.structure, structure_quota);
  }
  const auto crowded = std::stable_partition(keys.begin(), keys.end(),
                                             [](const Key& key) { return !key.crowded_out; });
  return keys.first(static_cast<std::size_t>(crowded - keys.begin()));
}

// In turns the next by merit among all and the next of those that are first on their consequent by
// the archive's measure, then of those that are second, and so on.
void Pareto::take_turns(std::span<Key> keys) {
  order_.resize(keys.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return by_measure(keys[a].value, keys[b].value) < 0;
  });
  varied_.clear();
  seen_.clear();
  for (const std::uint32_t i : order_) varied_.emplace_back(seen_[keys[i].niche.consequent]++, i);
  std::sort(varied_.begin(), varied_.end());

  taken_.assign(keys.size(), false);
  sorted_.clear();
  const auto take = [&](std::uint32_t i) {
    taken_[i] = true;
    sorted_.push_back(keys[i]);
  };
  auto varied = varied_.begin();
  for (std::uint32_t best = 0; best < keys.size(); ++best) {
    if (taken_[best]) continue;
    take(best);
    while (varied != varied_.end() && taken_[varied->second]) ++varied;
    if (varied != varied_.end()) take(varied->second);
  }
  std::copy(sorted_.begin(), sorted_.end(), keys.begin());
}

void Pareto::rank(std::vector<Individual>& population) {
  keys_.assign(population.size(), {});
  for (std::uint32_t i = 0; i < keys_.size(); ++i) {
    keys_[i].slot = i;
    keys_[i].violation = constraints_.violation(population[i].counts.table);
    keys_[i].value = evaluate(archive_by_, population[i].counts.table);
    keys_[i].niche = niche(population[i].rule, grammar_.attributes());
  }
  // The infeasible come last; from here on ties are in the rules' order, which stable sorts keep.
  std::sort(keys_.begin(), keys_.end(), [&](const Key& a, const Key& b) {
    if (a.violation != b.violation) return a.violation < b.violation;
    const auto order = population[a.slot].rule <=> population[b.slot].rule;
    return order != 0 ? order < 0 : a.slot < b.slot;
  });
  const auto infeasible =
      std::find_if(keys_.begin(), keys_.end(), [](const Key& key) { return key.violation > 0; });
  const std::span<Key> feasible(keys_.begin(), infeasible);
  sort_by_front(population, feasible);
  take_turns(clear(population, feasible));

  std::vector<Individual> ranked;
  ranked.reserve(population.size());
  for (const Key& key : keys_) ranked.push_back(std::move(population[key.slot]));
  population = std::move(ranked);
}

}  // namespace atl
