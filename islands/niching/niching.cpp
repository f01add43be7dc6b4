#include "islands/niching/niching.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "islands/exchange.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/archive/steering.hpp"

namespace atl {
namespace {

constexpr AlgorithmKey niching_keys[] = {
    max_consequent_key,
    {.name = "fit_rows",
     .kind = KeyKind::rows,
     .placeholder = "N",
     .help = "rows to which all changes of a rule are fitted, 0: all of --final-fit-rows",
     .formerly = 512},
    {.name = "final_fit_rows",
     .kind = KeyKind::rows,
     .placeholder = "N",
     .help = "rows to which the best two changes are fitted again, 0: every row",
     .formerly = 8192}};

std::vector<std::unique_ptr<Algorithm>> make_niching(const Experiment&,
                                                     std::span<const IslandAim> islands,
                                                     Resident& resident) {
  std::vector<std::unique_ptr<Algorithm>> made;
  for (const IslandAim& aim : islands) {
    made.push_back(std::make_unique<Niching>(*aim.experiment, *aim.grammar, resident));
  }
  return made;
}

// docs/notes/search.md says how these were chosen.
constexpr double least_alike = 0.2;   // below, two rules say different things
constexpr std::uint64_t contest = 8;  // slots of which a rule unlike all may take the weakest
constexpr double memory = 0.9;        // of an operation's success, for a generation
constexpr double stagnation = 0.05;   // of the population replaced in so many generations
constexpr std::uint32_t period = 10;

FitRows fit_rows_of(const Experiment& experiment) {
  const auto rows = [&](std::string_view key) {
    return static_cast<std::uint32_t>(experiment.settings.at(key));
  };
  return {rows("fit_rows"), rows("final_fit_rows")};
}

IntervalRows rows_to_fit(const Experiment& experiment, const Dataset& dataset) {
  return rows_to_draw(dataset, fit_rows_of(experiment));
}

const Rule& rule_of(const Individual& individual) {
  return individual.rule;
}
const Rule& rule_of(const Individual* individual) {
  return individual->rule;
}

}  // namespace

AlgorithmParts niching_parts() {
  return {.keys = niching_keys,
          .traits = {.associations = true, .means = true, .names_buckets = true},
          .make = make_niching,
          .rows_looked_at = Niching::rows_looked_at};
}

Niching::Niching(const Experiment& experiment, const BoundGrammar& grammar, Resident& resident)
    : experiment_(experiment),
      grammar_(grammar),
      sample_(resident.coverage_sample()),
      options_(counting_options(experiment, resident.dataset().attributes())),
      constraints_(constraints_of(experiment, resident.dataset().attributes())),
      maximize_(steering_measures(experiment)),
      archive_by_(steering_measure(experiment.archive_by, experiment)),
      similarity_(resident.similarity()),
      breeder_(grammar_, *sample_, *similarity_,
               resident.interval_fitter(rows_to_fit(experiment, resident.dataset())),
               fit_rows_of(experiment),
               beyond_mean(resident.dataset().attributes(), options_.mean)) {}

std::vector<std::uint64_t> Niching::rows_looked_at(const Experiment& experiment,
                                                   const Dataset& dataset) {
  std::vector<std::uint64_t> rows = CoverageSample::rows_of(dataset);
  const auto fitted = rows_to_look_at(dataset, rows_to_fit(experiment, dataset));
  rows.insert(rows.end(), fitted.begin(), fitted.end());
  return rows;
}

std::vector<Individual> Niching::individuals_in(const OwnState& own) const {
  (void)decode_niching_state(own);
  return {};
}

CountingOptions Niching::options() const {
  return options_;
}

RandomStream Niching::stream(const IslandState& state, std::uint32_t generation, std::uint32_t slot,
                             Purpose purpose) const {
  return RandomStream({experiment_.seed, state.island, generation, slot, purpose});
}

void Niching::judge(Individual& individual) const {
  const ContingencyTable& table = individual.statistics.table;
  individual.violation = constraints_.violation(table);
  individual.values.clear();
  for (const Measure measure : maximize_) individual.values.push_back(evaluate(measure, table));
}

bool Niching::better(const Individual& a, const Individual& b, std::size_t objective) {
  if (a.violation != b.violation) return a.violation < b.violation;
  const auto order = by_measure(a.values[objective], b.values[objective]);
  if (order != 0) return order < 0;
  return (a.rule <=> b.rule) < 0;  // begins with the number of comparisons
}

bool Niching::better(const IslandState& state, std::size_t a, std::size_t b,
                     std::size_t objective) const {
  const double* const of_a = standings_.data() + a * (1 + maximize_.size());
  const double* const of_b = standings_.data() + b * (1 + maximize_.size());
  if (of_a[0] != of_b[0]) return of_a[0] < of_b[0];
  const auto order = by_measure(of_a[1 + objective], of_b[1 + objective]);
  return order != 0 ? order < 0 : better(state.population[a], state.population[b], objective);
}

template <typename Individuals>
void Niching::compare(const Individuals& individuals) {
  rules_.clear();
  for (const auto& individual : individuals) rules_.push_back(&rule_of(individual));
  similarity_->prepare(rules_);
  similarity_->start();
  similarity_->finish();
}

void Niching::complete(IslandState& state) {
  compare(state.population);
  similarity_->clear();
  for (std::size_t slot = 0; slot < state.population.size(); ++slot) {
    judge(state.population[slot]);
    note_standing(state.population[slot], slot);
    similarity_->place(slot, slot);
  }
}

void Niching::note_standing(const Individual& individual, std::size_t slot) {
  const std::size_t width = 1 + maximize_.size();
  standings_.resize(std::max(standings_.size(), (slot + 1) * width));
  double* const standing = standings_.data() + slot * width;
  *standing = individual.violation;
  std::copy(individual.values.begin(), individual.values.end(), standing + 1);
}

void Niching::settle(IslandState& state, const Individual& candidate, std::size_t number,
                     std::size_t slot) {
  similarity_->place(number, slot);
  note_standing(candidate, slot);
  if (slot == state.population.size()) {
    state.population.push_back(candidate);
  } else {
    state.population[slot] = candidate;
  }
}

/// Makes a seed, or, if its rule is in the index, what can be made of it. Notes a slot for which
/// there is no rule.
void Niching::seed(const IslandState& state, std::uint32_t generation, std::uint32_t slot,
                   Individual& child) {
  RandomStream initialise = stream(state, generation, slot, Purpose::initialise);
  breeder_.seed(own_.covered, initialise, child.derivation);
  child.stand_for_derivation(grammar_);
  child.operation.reset();
  RandomStream replace = stream(state, generation, slot, Purpose::replace);
  if (!make_distinct(grammar_, index_, replace, child) || !index_.insert(child))
    without_.push_back(slot);
}

Step Niching::breed(IslandState& state, std::uint32_t generation, Offspring& offspring) {
  auto& fresh = offspring.fresh;
  if (breeding_) {
    breeder_.end_round(state, index_);
  } else {
    fresh.resize(experiment_.population);  // they must stay where they are
    index_.reset(state.population.size() + fresh.size());
    index_.insert_all(state.population);
    breeder_.begin(fresh.size());
    without_.reserve(fresh.size());
    without_.clear();
    const bool seeding = state.population.empty() || own_.stagnant;
    for (std::uint32_t slot = 0; slot < fresh.size(); ++slot) {
      if (seeding) {
        seed(state, generation, slot, fresh[slot]);
      } else {
        RandomStream select = stream(state, generation, slot, Purpose::select);
        fresh[slot].parent = static_cast<std::uint32_t>(select.below(state.population.size()));
        breeder_.add(fresh[slot], stream(state, generation, slot, Purpose::mutate));
      }
    }
  }
  while (breeder_.start_round(state, own_.success)) {
    breeding_ = breeder_.waits();
    if (breeding_) return Step::waits;
    breeder_.end_round(state, index_);
  }
  breeding_ = false;
  for (Individual* const child : breeder_.given_up()) {
    seed(state, generation, static_cast<std::uint32_t>(child - fresh.data()), *child);
  }
  std::sort(without_.begin(), without_.end());
  erase_slots(fresh, without_);
  return Step::done;
}

std::optional<std::size_t> Niching::compete(IslandState& state, const Individual& candidate,
                                            std::size_t number, RandomStream& stream) {
  auto& population = state.population;
  if (population.size() < experiment_.population) {
    settle(state, candidate, number, population.size());
    return population.size() - 1;
  }
  auto place = similarity_->most_similar(number, least_alike, candidate.parent);
  if (!place) {
    place = stream.below(population.size());
    for (std::uint64_t i = 1; i < contest; ++i) {
      const std::size_t slot = stream.below(population.size());
      if (better(state, *place, slot, objective_of(*place))) place = slot;
    }
  }
  if (!better(candidate, population[*place], objective_of(*place))) return {};
  settle(state, candidate, number, *place);
  return place;
}

// The rows of the best tenth count as covered once more.
void Niching::restart(const IslandState& state) {
  own_.stagnant = true;
  own_.covered.resize(sample_->rows());
  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < state.population.size(); ++i) {
    const Individual& individual = state.population[i];
    if (individual.violation > 0) continue;
    order.emplace_back(evaluate(archive_by_, individual.statistics.table), i);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    const auto values = by_measure(a.first, b.first);
    return values != 0 ? values < 0 : a.second < b.second;
  });
  order.resize(std::min(order.size(), state.population.size() / 10 + 1));
  for (const auto& [value, slot] : order) {
    const auto antecedent = similarity_->antecedent(slot);
    const auto consequent = similarity_->consequent(slot);
    for (std::size_t row = 0; row < sample_->rows(); ++row) {
      const std::uint64_t both = antecedent[row / 64] & consequent[row / 64];
      own_.covered[row] += static_cast<std::uint32_t>(both >> row % 64 & 1);
    }
  }
}

void Niching::replace(IslandState& state, Offspring& offspring, std::uint32_t generation,
                      const Offer& offer) {
  auto& fresh = offspring.fresh;
  compare(fresh);
  // The population may hold every rule of a small grammar: then there is none to begin again with.
  if (own_.stagnant && fresh.empty()) own_.stagnant = false;
  const bool begins = state.population.empty() || own_.stagnant;
  std::array<double, operations> tried{};
  std::array<double, operations> taken{};
  std::size_t replaced = 0;
  for (std::uint32_t i = 0; i < fresh.size(); ++i) {
    judge(fresh[i]);
    if (admits(fresh[i])) offer(fresh[i], similarity_->first_row(i));
    if (begins) continue;
    RandomStream draw = stream(state, generation, i, Purpose::compete);
    const bool won = compete(state, fresh[i], i, draw).has_value();
    replaced += won ? 1U : 0U;
    if (!fresh[i].operation) continue;
    const auto operation = static_cast<std::size_t>(*fresh[i].operation);
    tried[operation] += 1;
    taken[operation] += won ? 1 : 0;
  }
  if (begins) {
    state.population.assign(fresh.begin(), fresh.end());
    complete(state);
    own_.success.assign(operations, 1.0);
    own_.stagnant = false;
    return;
  }
  for (std::size_t i = 0; i < operations; ++i) {
    if (tried[i] > 0)
      own_.success[i] = memory * own_.success[i] + (1 - memory) * taken[i] / tried[i];
  }
  const auto least = stagnation * static_cast<double>(state.population.size());
  own_.replaced += static_cast<std::uint32_t>(replaced);
  if (generation % period == 0) {
    if (static_cast<double>(own_.replaced) < least) restart(state);
    own_.replaced = 0;
  }
}

std::vector<std::size_t> Niching::emigrants(const IslandState& state, std::size_t count,
                                            RandomStream& stream) {
  const auto& population = state.population;
  if (experiment_.emigrants != EmigrantChoice::best) {
    return choose_emigrants(population.size(), count, experiment_.emigrants, stream,
                            [&](std::size_t a, std::size_t b) {
                              return better(population[a], population[b], objective_of(b));
                            });
  }
  std::vector<bool> taken(population.size(), false);
  std::vector<std::size_t> chosen;
  for (std::size_t turn = 0; chosen.size() < std::min(count, population.size()); ++turn) {
    std::size_t best = population.size();
    for (std::size_t i = 0; i < population.size(); ++i) {
      if (taken[i]) continue;
      if (best == population.size() ||
          better(population[i], population[best], objective_of(turn))) {
        best = i;
      }
    }
    taken[best] = true;
    chosen.push_back(best);
  }
  return chosen;
}

void Niching::remove(IslandState& state, std::span<const std::size_t> slots) {
  erase_slots(state.population, slots);
  complete(state);
}

std::vector<std::uint32_t> Niching::immigrate(IslandState& state,
                                              std::span<const Individual* const> immigrants,
                                              std::uint32_t generation) {
  auto& population = state.population;
  Residents residents(population.size());
  compare(immigrants);
  std::vector<std::uint32_t> places(immigrants.size(), Move::nowhere);
  for (std::uint32_t i = 0; i < immigrants.size(); ++i) {
    if (holds(population, *immigrants[i])) continue;
    Individual immigrant = *immigrants[i];
    // Behind the slots of the generation's own offspring.
    RandomStream draw = stream(state, generation, experiment_.population + i, Purpose::compete);
    judge(immigrant);
    immigrant.parent = 0;  // it has none here
    immigrant.operation.reset();
    if (experiment_.replacement == Replacement::similar ||
        population.size() < experiment_.population) {
      if (const auto place = compete(state, immigrant, i, draw)) {
        places[i] = static_cast<std::uint32_t>(*place);
      }
      continue;
    }
    const auto place = residents.place_of(
        experiment_.replacement, draw,
        [&](std::size_t a, std::size_t b) {
          return better(population[b], population[a], objective_of(i));
        },
        [](std::size_t) { return 0.0; });
    if (!place) break;
    settle(state, immigrant, i, *place);
    residents.leave(*place);
    places[i] = static_cast<std::uint32_t>(*place);
  }
  return places;
}

}  // namespace atl
