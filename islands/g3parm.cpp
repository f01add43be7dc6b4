#include "islands/g3parm.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "islands/migration.hpp"
#include "src/rules/measures.hpp"

namespace atl {

namespace {

// A rule that holds on every row, or is never tried, has no fitness, however high its support.
double fitness(const ContingencyTable& table) {
  if (table.n_antecedent == table.n || table.n_consequent == table.n) return 0;
  return table.n == 0 ? 0 : evaluate(Measure::support, table);
}

bool fitter(const Individual& a, const Individual& b) {
  const double fitness_a = fitness(a.counts.table);
  const double fitness_b = fitness(b.counts.table);
  if (fitness_a != fitness_b) return fitness_a > fitness_b;
  const auto confidence = by_measure(evaluate(Measure::confidence, a.counts.table),
                                     evaluate(Measure::confidence, b.counts.table));
  if (confidence != 0) return confidence < 0;
  return (a.rule <=> b.rule) < 0;
}

// Of the population and the pool.
const Individual& select_parent(const IslandState& state, RandomStream& stream) {
  const auto draw = [&]() -> const Individual& {
    const auto at = stream.below(state.population.size() + state.pool.size());
    return at < state.population.size() ? state.population[at]
                                        : state.pool[at - state.population.size()];
  };
  const Individual& first = draw();
  const Individual& second = draw();
  return fitter(second, first) ? second : first;
}

}  // namespace

G3parm::G3parm(const Experiment& experiment, const BoundGrammar& grammar)
    : experiment_(experiment), grammar_(grammar), constraints_(constraints_of(experiment)) {}

EvaluateOptions G3parm::options() const {
  EvaluateOptions options;
  options.comparison_supports = true;
  options.exclude_missing_consequent = experiment_.missing_consequent == MissingConsequent::exclude;
  return options;
}

bool G3parm::admits(const ContingencyTable& table) const {
  return constraints_.met(table);
}

void G3parm::rank(std::vector<Individual>& population) {
  std::stable_sort(population.begin(), population.end(), fitter);
}

void G3parm::breed(IslandState& state, std::uint32_t generation, Offspring& offspring) {
  const std::uint32_t size = experiment_.population;
  offspring.known.clear();
  if (generation == 0) {
    offspring.fresh = derive_population(grammar_, experiment_.seed, state.island, size);
    return;
  }
  offspring.fresh.clear();
  offspring.known.reserve(size);  // they must stay where they are
  offspring.fresh.reserve(size);
  siblings_.reset(size);
  held_.reset(state.population.size() + state.pool.size());
  held_.insert_all(state.population);
  held_.insert_all(state.pool);  // some are in the population, too

  const auto stream = [&](std::uint32_t slot, Purpose purpose) {
    return RandomStream({experiment_.seed, state.island, generation, slot, purpose});
  };
  const auto add = [&](std::uint32_t slot, WeighedDerivation& child) {
    RandomStream change = stream(slot, Purpose::mutate);
    if (change.chance(experiment_.mutation)) mutate_weakest(grammar_, child, change);
    Individual individual;
    individual.derivation = std::move(child.derivation);
    RandomStream replace = stream(slot, Purpose::replace);
    if (!make_distinct(grammar_, siblings_, replace, individual)) return;
    const Individual* twin = held_.find(individual.rule);
    auto& group = twin == nullptr ? offspring.fresh : offspring.known;
    if (twin != nullptr) individual.counts = twin->counts;
    group.push_back(std::move(individual));
    siblings_.insert(group.back());
  };
  for (std::uint32_t slot = 0; slot < size; slot += 2) {
    RandomStream select = stream(slot, Purpose::select);
    const Individual& first = select_parent(state, select);
    const Individual& second = select_parent(state, select);
    const WeighedDerivation mother = weigh(grammar_, first);
    const WeighedDerivation father = weigh(grammar_, second);
    WeighedDerivation daughter = mother;
    WeighedDerivation son = father;
    if (stream(slot, Purpose::crossover).chance(experiment_.crossover)) {
      exchange_by_support(grammar_, daughter, father);
      exchange_by_support(grammar_, son, mother);
    }
    add(slot, daughter);
    if (slot + 1 < size) add(slot + 1, son);
  }
}

std::vector<Individual> G3parm::emigrants(const IslandState& state, std::size_t count) {
  const auto best = std::span(state.population).first(std::min(count, state.population.size()));
  return {best.begin(), best.end()};
}

void G3parm::immigrate(IslandState& state, std::vector<Individual> immigrants, std::uint32_t) {
  atl::immigrate(state.population, std::move(immigrants));
  rank(state.population);
}

void G3parm::survive(IslandState& state, Offspring& offspring, std::uint32_t,
                     const Remember& remember) {
  state.population = std::move(offspring.known);
  std::move(offspring.fresh.begin(), offspring.fresh.end(), std::back_inserter(state.population));
  rank(state.population);

  for (const Individual& individual : state.population) {
    if (constraints_.met(individual.counts.table)) state.pool.push_back(individual);
  }
  rank(state.pool);
  const auto same_rule = [](const Individual& a, const Individual& b) { return a.rule == b.rule; };
  state.pool.erase(std::unique(state.pool.begin(), state.pool.end(), same_rule), state.pool.end());
  if (state.pool.size() > experiment_.pool) state.pool.resize(experiment_.pool);
  for (const Individual& individual : state.pool) remember(individual, 0);
}

}  // namespace atl
