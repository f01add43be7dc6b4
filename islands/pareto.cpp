#include "islands/pareto.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "islands/operators.hpp"
#include "islands/steering.hpp"
#include "src/eval/counting_options.hpp"

namespace atl {

namespace {

// docs/algorithms.md says how these were chosen.
constexpr double least_alike = 0.2;   // below, two rules say different things
constexpr std::uint64_t contest = 8;  // slots of which a rule unlike all may take the weakest
constexpr double least_rate = 0.05;   // of an operation
constexpr double memory = 0.9;        // of an operation's success, for a generation
constexpr double stagnation = 0.05;   // of the population replaced in so many generations
constexpr std::uint32_t period = 10;
constexpr std::uint64_t rows_to_choose = 4;  // seeds take the least covered of so many

// The values on the wanted side of the mean.
Expression beyond_mean(std::span<const Attribute> attributes, const MeanTarget& target) {
  const Attribute& attribute = attributes[target.attribute];
  double sum = 0;
  double rows = 0;
  for (std::uint32_t code = 0; code < attribute.distinct(); ++code) {
    sum += attribute.low[code] * static_cast<double>(attribute.counts[code]);
    rows += static_cast<double>(attribute.counts[code]);
  }
  const auto above = static_cast<std::uint32_t>(
      std::upper_bound(attribute.low.begin() + 1, attribute.low.end() - 1, sum / rows) -
      attribute.low.begin());
  if (target.low) return Expression::of({target.attribute, 0, above - 1, false});
  return Expression::of({target.attribute, above, attribute.distinct() - 1, false});
}

}  // namespace

Pareto::Pareto(const Experiment& experiment, const BoundGrammar& grammar, const Dataset& dataset)
    : experiment_(experiment),
      grammar_(grammar),
      sample_(dataset),
      options_(counting_options(experiment, dataset.attributes())),
      constraints_{experiment.min_support, experiment.min_confidence, experiment.max_consequent,
                   true},
      maximize_(steering_measures(experiment)),
      archive_by_(steering_measure(experiment.archive_by, experiment)) {
  if (options_.mean) goal_ = beyond_mean(dataset.attributes(), *options_.mean);
}

EvaluateOptions Pareto::options() const {
  return options_;
}

bool Pareto::widens() const {
  return archive_by_ == Measure::contrast ||
         std::find(maximize_.begin(), maximize_.end(), Measure::contrast) != maximize_.end();
}

bool Pareto::admits(const ContingencyTable& table) const {
  return constraints_.met(table);
}

RandomStream Pareto::stream(const IslandState& state, std::uint32_t generation, std::uint32_t slot,
                            Purpose purpose) const {
  return RandomStream({experiment_.seed, state.island, generation, slot, purpose});
}

bool Pareto::better(const Individual& a, const Individual& b, std::size_t objective) const {
  const double violation_a = constraints_.violation(a.counts.table);
  const double violation_b = constraints_.violation(b.counts.table);
  if (violation_a != violation_b) return violation_a < violation_b;
  const auto order = by_measure(evaluate(maximize_[objective], a.counts.table),
                                evaluate(maximize_[objective], b.counts.table));
  if (order != 0) return order < 0;
  return (a.rule <=> b.rule) < 0;  // begins with the number of comparisons
}

std::optional<std::size_t> Pareto::covered_row(const Individual& individual,
                                               RandomStream& stream) const {
  const std::size_t words = sample_.words();
  const auto both = [&](std::size_t w) {
    return individual.coverage.words[w] & individual.coverage.words[words + w];
  };
  std::uint64_t count = 0;
  for (std::size_t w = 0; w < words; ++w)
    count += static_cast<std::uint64_t>(std::popcount(both(w)));
  if (count == 0) return std::nullopt;
  auto skip = static_cast<int>(stream.below(count));
  for (std::size_t w = 0;; ++w) {
    std::uint64_t bits = both(w);
    const int here = std::popcount(bits);
    if (skip >= here) {
      skip -= here;
      continue;
    }
    for (; skip > 0; --skip) bits &= bits - 1;
    return w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  }
}

std::uint8_t Pareto::draw_operation(const IslandState& state, RandomStream& stream) const {
  double total = 0;
  for (const double success : state.success) total += success;
  double at = stream.next_double();
  for (std::uint8_t i = 0; i + 1 < operations; ++i) {
    const double share = total > 0 ? state.success[i] / total : 1.0 / operations;
    at -= least_rate + (1 - operations * least_rate) * share;
    if (at < 0) return i;
  }
  return operations - 1;
}

// Gives a comparison the codes that gain most on the sample, the others being as they are.
bool Pareto::fit(Derivation& child, std::size_t node) const {
  const auto relation = grammar_.relation(child[node]);
  const Rule rule = grammar_.rule(child);
  if (!relation || !rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) {
    return false;
  }
  const std::uint32_t attribute = child[node].comparison.attribute;
  const std::size_t words = sample_.words();
  std::vector<std::uint64_t> among(words, ~std::uint64_t{0});
  std::vector<std::uint64_t> wanted(words);
  std::vector<std::uint64_t> one(words);
  if (sample_.rows() % 64 != 0) among.back() = (std::uint64_t{1} << sample_.rows() % 64) - 1;
  const auto of_consequent = rule.consequent.comparisons();
  const bool in_consequent =
      std::any_of(of_consequent.begin(), of_consequent.end(),
                  [&](const Comparison& c) { return c.attribute == attribute; });
  const Expression& side = in_consequent ? rule.consequent : rule.antecedent;
  const Expression& goal = goal_.empty() ? rule.consequent : goal_;
  sample_.cover(in_consequent ? rule.antecedent : goal, wanted.data());
  for (const Comparison& c : side.comparisons()) {
    if (c.attribute == attribute) continue;
    sample_.cover(c, one.data());
    for (std::size_t w = 0; w < words; ++w) among[w] &= one[w];
  }
  const auto codes = sample_.best_codes(attribute, *relation, among, wanted);
  return codes && grammar_.set_codes(child, node, codes->low, codes->high);
}

// Fits what the child has and the parent has not.
void Pareto::fit_new(const Derivation& parent, Derivation& child) const {
  for (const std::size_t node : grammar_.comparison_nodes(child)) {
    const auto same = [&](const DerivationNode& n) {
      return n.symbol == child[node].symbol && n.comparison == child[node].comparison;
    };
    if (std::none_of(parent.begin(), parent.end(), same)) fit(child, node);
  }
}

bool Pareto::apply(Operation operation, const IslandState& state, const Individual& parent,
                   Derivation& child, RandomStream& stream) const {
  if (child.size() < 2) return false;
  const auto any_node = [&] {
    return 1 + static_cast<std::size_t>(stream.below(child.size() - 1));
  };
  const auto any_comparison = [&] {
    const auto nodes = grammar_.comparison_nodes(child);
    return nodes[stream.below(nodes.size())];
  };
  // What is new should hold where the rest does.
  const auto anchor = [&] {
    const auto row = covered_row(parent, stream);
    if (row) grammar_.anchor(child, sample_.codes(*row), stream);
    return true;
  };
  switch (operation) {
    case Operation::exchange:
      return exchange(grammar_, child,
                      state.population[stream.below(state.population.size())].derivation, stream);
    case Operation::rederive:
      return grammar_.rederive(child, any_comparison(), stream) && anchor();
    case Operation::grow:
      return grammar_.grow(child, any_node(), stream) && anchor();
    case Operation::shrink:
      return grammar_.shrink(child, any_node(), stream);
    case Operation::perturb:
      return grammar_.perturb(child, any_comparison(), stream);
    case Operation::rederive_fitted:
      if (!grammar_.rederive(child, any_comparison(), stream)) return false;
      fit_new(parent.derivation, child);
      return true;
    case Operation::grow_fitted:
      if (!grammar_.grow(child, any_node(), stream)) return false;
      fit_new(parent.derivation, child);
      return true;
    case Operation::refit:
      return fit(child, any_comparison());
  }
  return false;
}

Derivation Pareto::seed_from_row(const IslandState& state, RandomStream& stream) const {
  Derivation derivation = grammar_.derive(stream);
  std::size_t row = stream.below(sample_.rows());
  for (std::uint64_t i = 1; i < rows_to_choose && state.covered.size() == sample_.rows(); ++i) {
    const std::size_t other = stream.below(sample_.rows());
    if (state.covered[other] < state.covered[row]) row = other;
  }
  grammar_.anchor(derivation, sample_.codes(row), stream);
  return derivation;
}

void Pareto::breed_child(const IslandState& state, std::uint32_t generation, std::uint32_t slot,
                         Individual& child) const {
  constexpr int attempts = 4;
  RandomStream choose = stream(state, generation, slot, Purpose::select);
  const Individual& parent = state.population[choose.below(state.population.size())];
  RandomStream change = stream(state, generation, slot, Purpose::mutate);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    child.operation = draw_operation(state, change);
    child.derivation = parent.derivation;
    const auto operation = static_cast<Operation>(child.operation);
    if (!apply(operation, state, parent, child.derivation, change)) continue;
    child.rule = grammar_.rule(child.derivation);
    if (index_.find(child.rule) == nullptr) return;
  }
  child.derivation = seed_from_row(state, change);
}

Offspring Pareto::breed(IslandState& state, std::uint32_t generation) {
  cover(state.population);  // one that was restored has none
  Offspring offspring;
  offspring.fresh.reserve(experiment_.population);
  index_.reset(state.population.size() + experiment_.population);
  index_.add_all(state.population);
  const bool seeding = state.population.empty() || state.stagnant;
  for (std::uint32_t slot = 0; slot < experiment_.population; ++slot) {
    Individual child;
    if (seeding) {
      RandomStream initialise = stream(state, generation, slot, Purpose::initialise);
      child.derivation = seed_from_row(state, initialise);
    } else {
      breed_child(state, generation, slot, child);
    }
    RandomStream replace = stream(state, generation, slot, Purpose::replace);
    if (!make_distinct(grammar_, index_, replace, child)) continue;
    offspring.fresh.push_back(std::move(child));
    index_.add(offspring.fresh.back());
  }
  return offspring;
}

void Pareto::cover(std::span<Individual> individuals) const {
  for (Individual& individual : individuals) {
    if (individual.coverage.words.empty()) sample_.cover(individual.rule, individual.coverage);
  }
}

bool Pareto::compete(IslandState& state, Individual& candidate, RandomStream& stream) const {
  auto& population = state.population;
  if (population.size() < experiment_.population) {
    population.push_back(std::move(candidate));
    return true;
  }
  std::size_t place = 0;
  double most = 0;
  for (std::size_t slot = 0; slot < population.size(); ++slot) {
    const double alike = similarity(candidate.coverage, population[slot].coverage, most);
    if (alike > most) {
      most = alike;
      place = slot;
    }
  }
  if (most < least_alike) {
    place = stream.below(population.size());
    for (std::uint64_t i = 1; i < contest; ++i) {
      const std::size_t slot = stream.below(population.size());
      if (better(population[place], population[slot], objective_of(place))) place = slot;
    }
  }
  if (!better(candidate, population[place], objective_of(place))) return false;
  population[place] = std::move(candidate);
  return true;
}

// The rows of the best tenth count as covered once more.
void Pareto::restart(IslandState& state) const {
  state.stagnant = true;
  state.covered.resize(sample_.rows());
  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < state.population.size(); ++i) {
    const ContingencyTable& table = state.population[i].counts.table;
    if (constraints_.met(table)) order.emplace_back(evaluate(archive_by_, table), i);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    const auto values = by_measure(a.first, b.first);
    return values != 0 ? values < 0 : a.second < b.second;
  });
  order.resize(std::min(order.size(), state.population.size() / 10 + 1));
  for (const auto& [value, slot] : order) {
    const auto& covered = state.population[slot].coverage.words;
    for (std::size_t row = 0; row < sample_.rows(); ++row) {
      const std::uint64_t both = covered[row / 64] & covered[sample_.words() + row / 64];
      state.covered[row] += static_cast<std::uint32_t>(both >> row % 64 & 1);
    }
  }
}

void Pareto::survive(IslandState& state, Offspring offspring, std::uint32_t generation,
                     const Remember& remember) {
  auto& fresh = offspring.fresh;
  cover(fresh);
  cover(state.population);
  for (const Individual& child : fresh) {
    if (constraints_.met(child.counts.table)) remember(child);
  }
  if (state.population.empty() || state.stagnant) {
    state.population = std::move(fresh);
    state.success.assign(operations, 1.0);
    state.stagnant = false;
    return;
  }
  std::array<double, operations> tried{};
  std::array<double, operations> taken{};
  std::size_t replaced = 0;
  for (std::uint32_t i = 0; i < fresh.size(); ++i) {
    RandomStream draw = stream(state, generation, i, Purpose::compete);
    const std::uint8_t operation = fresh[i].operation;
    const bool won = compete(state, fresh[i], draw);
    tried[operation] += 1;
    if (won) {
      taken[operation] += 1;
      ++replaced;
    }
  }
  state.success.resize(operations, 1.0);
  for (std::size_t i = 0; i < operations; ++i) {
    if (tried[i] > 0)
      state.success[i] = memory * state.success[i] + (1 - memory) * taken[i] / tried[i];
  }
  const auto least = stagnation * static_cast<double>(state.population.size());
  state.replaced += static_cast<std::uint32_t>(replaced);
  if (generation % period == 0) {
    if (static_cast<double>(state.replaced) < least) restart(state);
    state.replaced = 0;
  }
}

std::vector<Individual> Pareto::emigrants(const IslandState& state, std::size_t count) {
  const auto& population = state.population;
  std::vector<bool> taken(population.size(), false);
  std::vector<Individual> chosen;
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
    chosen.push_back(population[best]);
  }
  return chosen;
}

void Pareto::immigrate(IslandState& state, std::vector<Individual> immigrants,
                       std::uint32_t generation) {
  cover(state.population);
  cover(immigrants);
  for (std::uint32_t i = 0; i < immigrants.size(); ++i) {
    // Behind the slots of the generation's own offspring.
    RandomStream draw = stream(state, generation, experiment_.population + i, Purpose::compete);
    const auto same = [&](const Individual& resident) {
      return resident.rule == immigrants[i].rule;
    };
    if (std::none_of(state.population.begin(), state.population.end(), same)) {
      compete(state, immigrants[i], draw);
    }
  }
}

}  // namespace atl
