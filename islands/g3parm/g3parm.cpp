#include "islands/g3parm/g3parm.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "islands/exchange.hpp"
#include "islands/rule_bytes.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

constexpr bool own_for_islands = true;
constexpr AlgorithmKey g3parm_keys[] = {
    {"crossover", KeyKind::share, "P", "probability of crossover", own_for_islands},
    {"mutation", KeyKind::share, "P", "probability of mutation", own_for_islands},
    {"pool", KeyKind::individuals, "N", "good rules kept as parents"}};

std::vector<std::unique_ptr<Algorithm>> make_g3parm(const Experiment&,
                                                    std::span<const IslandAim> islands, Resident&) {
  std::vector<std::unique_ptr<Algorithm>> made;
  for (const IslandAim& aim : islands) {
    made.push_back(std::make_unique<G3parm>(*aim.experiment, *aim.grammar));
  }
  return made;
}

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

constexpr std::uint32_t pool_version = 1;

constexpr auto none = std::numeric_limits<std::uint64_t>::max();

// Support of the comparison of a derivation by those of one side of its canonical rule, if the side
// names its attribute.
std::uint64_t find_support(const Comparison& comparison, std::span<const Comparison> canonical_side,
                           std::span<const std::uint64_t> supports) {
  std::uint64_t merged = none;
  for (std::size_t i = 0; i < canonical_side.size(); ++i) {
    if (canonical_side[i].attribute != comparison.attribute) continue;
    if (canonical_side[i] == comparison) return supports[i];
    merged = std::min(merged, supports[i]);
  }
  return merged;
}

std::size_t weakest(std::span<const std::uint64_t> supports) {
  return static_cast<std::size_t>(std::min_element(supports.begin(), supports.end()) -
                                  supports.begin());
}

// First of the nodes from `leaf` upwards that stand for this comparison and nothing else.
std::size_t top_of_chain(const Derivation& derivation, std::size_t leaf) {
  std::size_t top = leaf;
  while (top > 1 && derivation[top - 1].size == derivation[top].size + 1) --top;
  return top;
}

// Grafts the donor's comparison onto the child's, each with as little around it as makes their
// symbols equal.
bool graft_comparison(const BoundGrammar& grammar, Derivation& child, std::size_t leaf,
                      const Derivation& donor, std::size_t donor_leaf) {
  const std::size_t top = top_of_chain(child, leaf);
  const std::size_t donor_top = top_of_chain(donor, donor_leaf);
  for (std::size_t node = leaf + 1; node-- > top;) {
    for (std::size_t from = donor_leaf + 1; from-- > donor_top;) {
      if (child[node].symbol == donor[from].symbol) {
        return grammar.graft(child, node, donor, from);
      }
    }
  }
  return false;
}

}  // namespace

G3parmSettings::G3parmSettings(const Experiment& experiment)
    : crossover(experiment.settings.at(g3parm_keys[0].name)),
      mutation(experiment.settings.at(g3parm_keys[1].name)),
      pool(static_cast<std::uint32_t>(experiment.settings.at(g3parm_keys[2].name))) {}

AlgorithmParts g3parm_parts() {
  return {g3parm_keys, {}, make_g3parm};
}

G3parm::G3parm(const Experiment& experiment, const BoundGrammar& grammar)
    : experiment_(experiment),
      settings_(experiment),
      grammar_(grammar),
      constraints_(constraints_of(experiment, grammar.attributes())) {}

OwnState G3parm::save() const {
  ByteWriter out;
  encode(out, std::span(pool_));
  return {pool_version, std::move(out).take()};
}

std::vector<Individual> G3parm::individuals_in(const OwnState& own) const {
  ByteReader in(own.of_version(pool_version));
  std::vector<Individual> pool = decode_individuals(in, grammar_);
  in.expect_end();
  require_bytes(pool.size() <= settings_.pool, "an island's pool is too large");
  return pool;
}

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

// The population and the pool are both ranked.
const Individual& G3parm::select_parent(IslandState& state, RandomStream& stream) {
  const std::size_t size = state.population.size();
  const auto at = [&](std::size_t i) -> Individual& {
    return i < size ? state.population[i] : pool_[i - size];
  };
  const auto first = static_cast<std::size_t>(stream.below(size + pool_.size()));
  const auto second = static_cast<std::size_t>(stream.below(size + pool_.size()));
  if ((first < size) == (second < size)) return at(std::min(first, second));
  return fitter(standing(at(second)), standing(at(first))) ? at(second) : at(first);
}

Step G3parm::breed(IslandState& state, std::uint32_t generation, Offspring& offspring) {
  const std::uint32_t size = experiment_.population;
  if (generation == 0) {
    offspring.fresh = derive_population(grammar_, experiment_.seed, state.island, size);
    offspring.known.clear();
    return Step::done;
  }
  for (auto* const group : {&offspring.known, &offspring.fresh}) {
    group->clear();
    group->reserve(std::size_t{size} + 1);  // they must stay where they are
  }
  siblings_.reset(size);
  held_.reset(state.population.size() + pool_.size());
  held_.insert_all(state.population);
  held_.insert_all(pool_);  // some are in the population, too
  for (std::uint32_t slot = 0; slot < size; slot += 2) {
    RandomStream select = stream(state, generation, slot, Purpose::select);
    Parent mother{select_parent(state, select), {}}, father{select_parent(state, select), {}};
    const bool crosses =
        stream(state, generation, slot, Purpose::crossover).chance(settings_.crossover);
    if (crosses) {
      mother.weights = weigh(grammar_, mother.individual);
      father.weights = weigh(grammar_, father.individual);
    }
    const auto add = [&](std::uint32_t at, const Parent& own, const Parent& other) {
      add_child(own, other, crosses, stream(state, generation, at, Purpose::mutate),
                stream(state, generation, at, Purpose::replace), offspring);
    };
    add(slot, mother, father);
    if (slot + 1 < size) add(slot + 1, father, mother);
  }
  return Step::done;
}

RandomStream G3parm::stream(const IslandState& state, std::uint32_t generation, std::uint32_t slot,
                            Purpose purpose) const {
  return RandomStream({experiment_.seed, state.island, generation, slot, purpose});
}

void G3parm::add_child(const Parent& own, const Parent& other, bool crosses, RandomStream change,
                       RandomStream replace, Offspring& offspring) {
  const bool mutates = change.chance(settings_.mutation);
  Individual& child = offspring.fresh.emplace_back();
  child.derivation = own.individual.derivation;
  bool changed = false;
  if (crosses || mutates) {
    Weights weights = crosses ? own.weights : weigh(grammar_, own.individual);
    if (crosses) {
      changed = crossover_by_support(grammar_, child.derivation, weights,
                                     other.individual.derivation, other.weights);
    }
    if (mutates && mutate_weakest(grammar_, child.derivation, weights.supports, change))
      changed = true;
  }
  if (changed) {
    child.stand_for_derivation(grammar_);
  } else {
    child.rule = own.individual.rule;
    child.key = own.individual.key;
  }
  if (!make_distinct(grammar_, siblings_, replace, child)) {
    offspring.fresh.pop_back();
    return;
  }
  const Individual* const twin = held_.find(child);
  if (twin == nullptr) {
    siblings_.insert(child);
    return;
  }
  Individual& known = offspring.known.emplace_back();
  known.derivation = child.derivation;
  known.rule = child.rule;
  known.key = child.key;
  known.statistics = twin->statistics;
  siblings_.insert(known);
  offspring.fresh.pop_back();
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
  next_pool_.clear();
  auto held = pool_.begin();
  auto next = state.population.begin();
  while (next_pool_.size() < settings_.pool) {
    next =
        std::find_if(next, state.population.end(), [&](const Individual& i) { return admits(i); });
    const bool none_held = held == pool_.end();
    if (none_held && next == state.population.end()) break;
    const bool takes_next =
        next != state.population.end() && (none_held || fitter(standing(*next), standing(*held)));
    Individual& best = takes_next ? *next++ : *held++;
    if (!next_pool_.empty() && next_pool_.back().rule == best.rule) continue;
    if (takes_next) {
      offer(best, 0);
      next_pool_.push_back(best);
    } else {
      next_pool_.push_back(std::move(best));
    }
  }
  pool_.swap(next_pool_);
}

Weights weigh(const BoundGrammar& grammar, const Individual& individual) {
  const auto& [antecedent, consequent] = individual.rule;
  const std::span<const std::uint64_t> supports = individual.statistics.comparison_supports;
  const std::size_t split = antecedent.comparisons().size();
  assert(supports.size() == individual.rule.comparisons());

  Weights weights;
  weights.nodes = grammar.comparison_nodes(individual.derivation);
  for (const std::size_t node : weights.nodes) {
    const Comparison comparison =
        canonical(individual.derivation[node].comparison, grammar.attributes());
    // Sides share no attribute, so the attribute tells the side.
    auto support = find_support(comparison, antecedent.comparisons(), supports.first(split));
    if (support == none)
      support = find_support(comparison, consequent.comparisons(), supports.subspan(split));
    assert(support != none);
    weights.supports.push_back(support);
  }
  return weights;
}

bool crossover_by_support(const BoundGrammar& grammar, Derivation& child, Weights& weights,
                          const Derivation& donor, const Weights& donor_weights) {
  const std::size_t target = weakest(weights.supports);
  const std::size_t node = weights.nodes[target];
  const Comparison old = child[node].comparison;

  const auto& supports = donor_weights.supports;
  Positions order(supports.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return supports[a] != supports[b] ? supports[a] > supports[b] : a < b;
  });
  for (const std::size_t candidate : order) {
    const std::size_t from = donor_weights.nodes[candidate];
    if (donor[from].comparison == old) continue;
    if (!graft_comparison(grammar, child, node, donor, from)) continue;
    weights.supports[target] = supports[candidate];
    return true;
  }
  return false;
}

bool mutate_weakest(const BoundGrammar& grammar, Derivation& child,
                    std::span<const std::uint64_t> supports, RandomStream& stream) {
  const std::size_t node = grammar.comparison_nodes(child)[weakest(supports)];
  return grammar.rederive(child, top_of_chain(child, node), stream);
}

}  // namespace atl
