#include "islands/g3parm/g3parm.hpp"

#include <algorithm>
#include <utility>

#include "islands/exchange.hpp"
#include "src/measures/measures.hpp"

namespace atl {

namespace {

// A rule that holds on every row, or is never tried, has no fitness, however high its support.
double fitness(const ContingencyTable& table) {
  if (table.n_antecedent == table.n || table.n_consequent == table.n) return 0;
  return table.n == 0 ? 0 : evaluate(Measure::support, table);
}

Standing standing(Individual& individual) {
  const ContingencyTable& table = individual.statistics.table;
  return {fitness(table), evaluate(Measure::confidence, table), &individual};
}

bool fitter(const Standing& a, const Standing& b) {
  if (a.fitness != b.fitness) return a.fitness > b.fitness;
  const auto confidence = by_measure(a.confidence, b.confidence);
  if (confidence != 0) return confidence < 0;
  return (a.individual->rule <=> b.individual->rule) < 0;
}

// Of the population and the pool, which are both ranked.
const Individual& select_parent(IslandState& state, RandomStream& stream) {
  const std::size_t size = state.population.size();
  const auto at = [&](std::size_t i) -> Individual& {
    return i < size ? state.population[i] : state.pool[i - size];
  };
  const auto first = static_cast<std::size_t>(stream.below(size + state.pool.size()));
  const auto second = static_cast<std::size_t>(stream.below(size + state.pool.size()));
  if ((first < size) == (second < size)) return at(std::min(first, second));
  return fitter(standing(at(second)), standing(at(first))) ? at(second) : at(first);
}

}  // namespace

G3parm::G3parm(const Experiment& experiment, const BoundGrammar& grammar)
    : experiment_(experiment),
      settings_(experiment),
      grammar_(grammar),
      constraints_(constraints_of(experiment, grammar.attributes())) {}

CountingOptions G3parm::options() const {
  CountingOptions options;
  options.comparison_supports = true;
  options.exclude_missing_consequent = experiment_.missing_consequent == MissingConsequent::exclude;
  return options;
}

bool G3parm::admits(const Individual& individual) const {
  return constraints_.met(individual.statistics.table);
}

void G3parm::rank(std::vector<Individual>& population) {
  standings_.clear();
  for (Individual& individual : population) standings_.push_back(standing(individual));
  std::sort(standings_.begin(), standings_.end(), fitter);
  std::vector<Individual> ranked(population.size());
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    ranked[i] = std::move(*standings_[i].individual);
  }
  population.swap(ranked);
}

Step G3parm::breed(IslandState& state, std::uint32_t generation, Offspring& offspring) {
  const std::uint32_t size = experiment_.population;
  offspring.known.clear();
  if (generation == 0) {
    offspring.fresh = derive_population(grammar_, experiment_.seed, state.island, size);
    return Step::done;
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
    if (change.chance(settings_.mutation)) mutate_weakest(grammar_, child, change);
    Individual individual;
    individual.derivation = std::move(child.derivation);
    RandomStream replace = stream(slot, Purpose::replace);
    if (!make_distinct(grammar_, siblings_, replace, individual)) return;
    const Individual* twin = held_.find(individual);
    auto& group = twin == nullptr ? offspring.fresh : offspring.known;
    if (twin != nullptr) individual.statistics = twin->statistics;
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
    if (stream(slot, Purpose::crossover).chance(settings_.crossover)) {
      crossover_by_support(grammar_, daughter, father);
      crossover_by_support(grammar_, son, mother);
    }
    add(slot, daughter);
    if (slot + 1 < size) add(slot + 1, son);
  }
  return Step::done;
}

std::vector<std::size_t> G3parm::emigrants(const IslandState& state, std::size_t count,
                                           RandomStream& stream) {
  return choose_emigrants(state.population.size(), count, experiment_.emigrants, stream,
                          [](std::size_t a, std::size_t b) { return a < b; });  // it is ranked
}

void G3parm::remove(IslandState& state, std::span<const std::size_t> slots) {
  erase_slots(state.population, slots);
}

std::vector<std::uint32_t> G3parm::immigrate(IslandState& state,
                                             std::span<const Individual* const> immigrants,
                                             std::uint32_t generation) {
  auto& population = state.population;
  Residents residents(population.size());
  std::vector<std::uint32_t> places(immigrants.size(), Move::nowhere);
  for (std::uint32_t i = 0; i < immigrants.size(); ++i) {
    if (holds(population, *immigrants[i])) continue;
    Individual immigrant = *immigrants[i];
    if (population.size() < experiment_.population) {
      places[i] = static_cast<std::uint32_t>(population.size());
      population.push_back(std::move(immigrant));
      continue;
    }
    // Behind the slots of the generation's own offspring.
    RandomStream draw(
        {experiment_.seed, state.island, generation, experiment_.population + i, Purpose::compete});
    const auto place = residents.place_of(
        experiment_.replacement, draw, [](std::size_t a, std::size_t b) { return a > b; },
        [&](std::size_t slot) { return rule_similarity(immigrant.rule, population[slot].rule); });
    if (!place) break;
    if (experiment_.replacement == Replacement::similar &&
        !fitter(standing(immigrant), standing(population[*place]))) {
      continue;
    }
    population[*place] = std::move(immigrant);
    residents.leave(*place);
    places[i] = static_cast<std::uint32_t>(*place);
  }
  rank(population);
  return places;
}

void G3parm::replace(IslandState& state, Offspring& offspring, std::uint32_t, const Offer& offer) {
  standings_.clear();
  for (auto* group : {&offspring.known, &offspring.fresh}) {
    for (Individual& individual : *group) standings_.push_back(standing(individual));
  }
  std::sort(standings_.begin(), standings_.end(), fitter);
  state.population.resize(standings_.size());
  for (std::size_t i = 0; i < standings_.size(); ++i) {
    state.population[i] = std::move(*standings_[i].individual);
  }
  fill_pool(state, offer);
}

// Merges what is ranked; of two equal rules the pool's own stays.
void G3parm::fill_pool(IslandState& state, const Offer& offer) {
  pool_.clear();
  auto held = state.pool.begin();
  auto next = state.population.begin();
  while (pool_.size() < settings_.pool) {
    next =
        std::find_if(next, state.population.end(), [&](const Individual& i) { return admits(i); });
    const bool none_held = held == state.pool.end();
    if (none_held && next == state.population.end()) break;
    const bool takes_next =
        next != state.population.end() && (none_held || fitter(standing(*next), standing(*held)));
    Individual& best = takes_next ? *next++ : *held++;
    if (!pool_.empty() && pool_.back().rule == best.rule) continue;
    if (takes_next) {
      offer(best, 0);
      pool_.push_back(best);
    } else {
      pool_.push_back(std::move(best));
    }
  }
  state.pool.swap(pool_);
}

}  // namespace atl
