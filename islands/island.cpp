#include "islands/island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "islands/population.hpp"
#include "src/core/stopwatch.hpp"
#include "src/results/niche.hpp"
#include "src/results/steering.hpp"

namespace atl {

Island::Island(std::uint32_t number, const Experiment& experiment, const BoundGrammar& grammar,
               std::unique_ptr<Algorithm> algorithm, std::unique_ptr<EvaluatorBatch> batch)
    : experiment_(experiment),
      grammar_(grammar),
      algorithm_(std::move(algorithm)),
      batch_(std::move(batch)),
      generalisation_(grammar.attributes()),
      maximize_(all_steering_measures(experiment)) {
  state_.island = number;
}

void Island::expect_restorable(const IslandState& state) const {
  if (state.population.empty() || state.population.size() > experiment_.population ||
      state.pool.size() > experiment_.pool) {
    throw BadBytes("an island's population or pool has the wrong size");
  }
  const bool weighed = algorithm_->options().comparison_supports;
  for (const auto* group : {&state.population, &state.pool}) {
    for (const Individual& individual : *group) {
      if (weighed != !individual.counts.comparison_supports.empty()) {
        throw BadBytes("an individual lacks the counts that its algorithm needs");
      }
    }
  }
}

void Island::restore(const IslandState& state, std::vector<HistoryRow> rows) {
  state_ = state;
  algorithm_->complete(state_);
  history_ = std::move(rows);
  evaluated_ = history_.back().evaluated;
}

void Island::breed() {
  const Stopwatch watch(breed_seconds_);
  generation_ = next_generation();
  algorithm_->breed(state_, generation_, offspring_);
  prepare();
}

void Island::prepare() {
  auto& fresh = offspring_.fresh;
  if (fresh.empty()) return;
  // The batch wants rules side by side: lend them for the call instead of copying.
  rules_.resize(fresh.size());
  for (std::size_t i = 0; i < fresh.size(); ++i) rules_[i] = std::move(fresh[i].rule);
  generalisations_.clear();
  if (algorithm_->generalises()) {
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const std::size_t before = rules_.size();
      generalisation_.generalise(Rule(rules_[i]), rules_);
      generalisations_.push_back(rules_.size() - before);
    }
  }
  batch_->prepare(rules_, algorithm_->options());
  for (std::size_t i = 0; i < fresh.size(); ++i) fresh[i].rule = std::move(rules_[i]);
}

void Island::start() {
  if (!offspring_.fresh.empty()) batch_->start();
  started_ = true;
}

void Island::finish() {
  started_ = false;
  if (!offspring_.fresh.empty()) batch_->finish();
}

void Island::read_counts() {
  auto& fresh = offspring_.fresh;
  if (fresh.empty()) return;
  counts_.resize(rules_.size());
  batch_->read(counts_);
  evaluated_ += rules_.size();
  std::size_t next = fresh.size();
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    fresh[i].counts = std::move(counts_[i]);
    if (generalisations_.empty()) continue;
    note_nearest(fresh[i].counts.table, std::span(counts_).subspan(next, generalisations_[i]));
    next += generalisations_[i];
  }
}

void Island::replace() {
  read_counts();
  candidates_.clear();
  const auto offer = [&](const Individual& individual, std::uint32_t bucket) {
    const RuleCounts& counts = individual.counts;
    RuleRecord record{individual.rule,
                      counts.table,
                      counts.missing_consequent,
                      generation_,
                      state_.island,
                      bucket,
                      {}};
    const Niche its = niche(record, grammar_.attributes());
    candidates_.push_back({std::move(record), its});
  };
  algorithm_->replace(state_, offspring_, generation_, offer);
  history_.push_back(summary());
}

void Island::offer(Archive& archive) const {
  for (const auto& [record, niche] : candidates_) archive.offer(record, niche);
}

HistoryRow Island::summary() const {
  HistoryRow row;
  row.generation = generation_;
  row.island = state_.island;
  row.evaluated = evaluated_;
  const std::size_t measures = maximize_.size();
  row.best.assign(measures, std::numeric_limits<double>::quiet_NaN());
  row.mean.assign(measures, 0);
  std::vector<std::uint64_t> existing(measures, 0);
  for (const Individual& individual : state_.population) {
    row.mean_comparisons += static_cast<double>(individual.rule.comparisons());
    if (!algorithm_->admits(individual.counts.table)) continue;
    ++row.feasible;
    for (std::size_t m = 0; m < measures; ++m) {
      const double value = evaluate(maximize_[m], individual.counts.table);
      if (std::isnan(value)) continue;
      ++existing[m];
      row.mean[m] += value;
      if (!(row.best[m] >= value)) row.best[m] = value;
    }
  }
  for (std::size_t m = 0; m < measures; ++m) row.mean[m] /= static_cast<double>(existing[m]);
  row.mean_comparisons /= static_cast<double>(state_.population.size());
  return row;
}

Emigrants Island::emigrants() {
  const bool move = experiment_.emigration == Emigration::move;
  const std::size_t size = state_.population.size();
  // One stays, to have offspring.
  const auto count = std::min<std::size_t>(experiment_.migrants, move ? size - 1 : size);
  RandomStream draw({experiment_.seed, state_.island, generation_, 0, Purpose::migrate});
  auto slots = algorithm_->emigrants(state_, count, draw);
  Emigrants emigrants;
  emigrants.grammar = &grammar_;
  for (const std::size_t slot : slots) {
    emigrants.slots.push_back(static_cast<std::uint32_t>(slot));
    emigrants.individuals.push_back(state_.population[slot]);
  }
  if (move) {
    std::sort(slots.begin(), slots.end());
    algorithm_->remove(state_, slots);
  }
  return emigrants;
}

// A derivation of another grammar may happen to be one of this, of another rule.
bool Island::belongs(const Arrival& arrival) const {
  if (arrival.grammar == &grammar_) return true;
  const Individual& individual = *arrival.individual;
  return grammar_.accepts(individual.derivation) &&
         grammar_.rule(individual.derivation) == individual.rule;
}

std::vector<Move> Island::immigrate(std::span<const Arrival> arrivals) {
  std::vector<const Individual*> immigrants;
  std::vector<Move> moves;
  std::vector<std::size_t> move_of;
  for (const Arrival& arrival : arrivals) {
    if (belongs(arrival)) {
      immigrants.push_back(arrival.individual);
      move_of.push_back(moves.size());
    }
    moves.push_back({arrival.from, arrival.slot, state_.island, Move::nowhere});
  }
  const auto places = algorithm_->immigrate(state_, immigrants, generation_);
  for (std::size_t i = 0; i < places.size(); ++i) moves[move_of[i]].place = places[i];
  return moves;
}

}  // namespace atl
