#include "islands/rule_island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "islands/population.hpp"
#include "src/core/stopwatch.hpp"
#include "src/results/archive/archive.hpp"
#include "src/results/archive/steering.hpp"

namespace atl {

std::vector<Individual> expect_of(const Experiment& experiment, const Algorithm& algorithm,
                                  const SavedIsland& island) {
  const std::vector<Individual>& population = island.state.population;
  require_bytes(!population.empty() && population.size() <= experiment.population,
                "an island's population has the wrong size");
  std::vector<Individual> kept = algorithm.individuals_in(island.own);
  const bool supports = algorithm.options().comparison_supports;
  for (const auto* group : {&population, &std::as_const(kept)}) {
    for (const Individual& individual : *group) {
      require_bytes(supports == !individual.statistics.comparison_supports.empty(),
                    "an individual lacks the counts that its algorithm needs");
    }
  }
  return kept;
}

RuleIsland::RuleIsland(std::uint32_t number, const Experiment& experiment,
                       const IslandGrammars& grammars, std::unique_ptr<Algorithm> algorithm,
                       Resident& resident)
    : experiment_(experiment),
      grammars_(grammars),
      grammar_(grammars.of(number)),
      algorithm_(std::move(algorithm)),
      generalises_(needs_generalisations(experiment)),
      options_(algorithm_->options()),
      team_(resident.team()),
      counter_(resident.rule_counter()),
      target_(resident.target_totals(options_)),
      generalisation_(grammar_.attributes()),
      archived_by_(steering_measure(experiment.archive_by, experiment), *algorithm_) {
  state_.island = number;
  for (const Measure measure : all_steering_measures(experiment)) {
    maximized_.emplace_back(measure, *algorithm_);
  }
}

RuleIsland::Value::Value(Measure measure, const Algorithm& algorithm) : measure_(measure) {
  const auto kept = algorithm.measures();
  const auto found = std::find(kept.begin(), kept.end(), measure);
  if (found != kept.end()) kept_ = static_cast<std::size_t>(found - kept.begin());
}

double RuleIsland::Value::of(const Individual& individual) const {
  return kept_ ? individual.values[*kept_] : evaluate(measure_, individual.statistics.table);
}

void RuleIsland::load(ByteReader& in, const HistoryRow& last) {
  SavedIsland saved = decode_island(in, state_.island, grammar_);
  (void)expect_of(experiment_, *algorithm_, saved);
  algorithm_->load(saved.own);
  state_ = std::move(saved.state);
  algorithm_->complete(state_);
  generation_ = last.generation;
  begun_ = true;
  evaluated_ = last.evaluated;
}

Step RuleIsland::advance(PhaseTimes& spent) {
  if (stage_ == Stage::none) {
    generation_ += begun_ ? 1U : 0U;
    begun_ = true;
    stage_ = Stage::breeding;
  }
  if (stage_ == Stage::breeding) {
    if (breed(spent) == Step::waits) return Step::waits;
    const Stopwatch watch(spent.evaluate);
    if (!offspring_.fresh.empty()) counter_->start();
    stage_ = Stage::counting;
    return Step::waits;
  }
  if (stage_ == Stage::counting) {
    const Stopwatch watch(spent.evaluate);
    if (!offspring_.fresh.empty()) counter_->finish();
    read_part();
    stage_ = Stage::adding;
    if (team_ != nullptr) return Step::adds;
  }
  stage_ = Stage::none;
  const Stopwatch watch(spent.replacement);
  read_counts();
  replace();
  return Step::done;
}

bool RuleIsland::ready() const {
  if (stage_ == Stage::breeding) return algorithm_->ready();
  return stage_ != Stage::counting || offspring_.fresh.empty() || counter_->ready();
}

Step RuleIsland::breed(PhaseTimes& spent) {
  const double fitted_before = algorithm_->fit_seconds();
  double seconds = 0;
  Step step = Step::done;
  {
    const Stopwatch watch(seconds);
    step = algorithm_->breed(state_, generation_, offspring_);
    if (step == Step::done) prepare();
  }
  const double fitted = algorithm_->fit_seconds() - fitted_before;
  spent.fit += fitted;
  spent.breed += seconds - fitted;
  return step;
}

void RuleIsland::prepare() {
  auto& fresh = offspring_.fresh;
  if (fresh.empty()) return;
  // The batch wants rules side by side.
  rules_.resize(fresh.size());
  for (std::size_t i = 0; i < fresh.size(); ++i) rules_[i] = fresh[i].rule;
  generalisations_.clear();
  if (generalises_) {
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const std::size_t before = rules_.size();
      generalisation_.generalise(Rule(rules_[i]), rules_);
      generalisations_.push_back(rules_.size() - before);
    }
  }
  share_ = team_ != nullptr ? team_->share(rules_.size()) : RuleRange{0, rules_.size()};
  counter_->prepare(std::span(rules_).subspan(share_.begin, share_.size()), options_);
}

void RuleIsland::read_part() {
  numbers_.clear();
  if (offspring_.fresh.empty()) return;
  counts_.resize(rules_.size());
  counter_->read(std::span(counts_).subspan(share_.begin, share_.size()));
  if (team_ != nullptr) counts_to_numbers(rules_, share_, counts_, options_, numbers_);
}

void RuleIsland::read_counts() {
  auto& fresh = offspring_.fresh;
  if (fresh.empty()) return;
  if (team_ != nullptr) numbers_to_counts(rules_, numbers_, options_, counts_);
  evaluated_ += rules_.size();
  std::size_t next = fresh.size();
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    fresh[i].statistics = statistics_of(counts_[i], options_, target_);
    if (generalisations_.empty()) continue;
    of_general_.clear();
    for (const std::size_t end = next + generalisations_[i]; next < end; ++next)
      of_general_.push_back(statistics_of(counts_[next], options_, target_));
    note_nearest(fresh[i].statistics.table, of_general_);
  }
}

void RuleIsland::replace() {
  candidates_.clear();
  const auto offer = [&](const Individual& individual, std::uint32_t bucket) {
    const Niche its = niche(individual.rule, bucket, grammar_.attributes());
    if (bars_ != nullptr && bars_->refuse(archived_by_.of(individual), its)) return;
    const RuleStatistics& statistics = individual.statistics;
    RuleRecord record{individual.rule,
                      statistics.table,
                      statistics.missing_consequent,
                      generation_,
                      state_.island,
                      bucket,
                      {}};
    candidates_.push_back({std::move(record), its});
  };
  algorithm_->replace(state_, offspring_, generation_, offer);
}

void RuleIsland::offer(Results& results) {
  // The results that a search makes for its islands are of this kind.
  auto& archive = dynamic_cast<RuleResults&>(results);
  bars_ = &archive.bars();
  archive.offer(candidates_);
}

HistoryRow RuleIsland::summary() const {
  HistoryRow row;
  row.generation = generation_;
  row.island = state_.island;
  row.evaluated = evaluated_;
  const std::size_t measures = maximized_.size();
  row.best.assign(measures, std::numeric_limits<double>::quiet_NaN());
  row.mean.assign(measures, 0);
  std::vector<std::uint64_t> existing(measures, 0);
  for (const Individual& individual : state_.population) {
    row.mean_comparisons += static_cast<double>(individual.rule.comparisons());
    if (!algorithm_->admits(individual)) continue;
    ++row.feasible;
    for (std::size_t m = 0; m < measures; ++m) {
      const double value = maximized_[m].of(individual);
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

std::vector<Migrant> RuleIsland::emigrants(std::size_t most) {
  const bool move = experiment_.emigration == Emigration::move;
  const std::size_t size = state_.population.size();
  // One stays, to have offspring.
  const std::size_t count = std::min(most, move ? size - 1 : size);
  RandomStream draw({experiment_.seed, state_.island, generation_, 0, Purpose::migrate});
  auto slots = algorithm_->emigrants(state_, count, draw);
  std::vector<Migrant> migrants;
  for (const std::size_t slot : slots) {
    ByteWriter out;
    encode(out, state_.population[slot]);
    migrants.push_back({state_.island, static_cast<std::uint32_t>(slot),
                        std::make_shared<const Bytes>(std::move(out).take())});
  }
  if (move) {
    std::sort(slots.begin(), slots.end());
    algorithm_->remove(state_, slots);
  }
  return migrants;
}

// A derivation of another grammar may happen to be one of this, of another rule.
bool RuleIsland::belongs(const Individual& individual, const BoundGrammar& grammar) const {
  return &grammar == &grammar_ || (grammar_.accepts(individual.derivation) &&
                                   grammar_.rule(individual.derivation) == individual.rule);
}

std::vector<Move> RuleIsland::immigrate(std::span<const Migrant> migrants) {
  std::vector<Individual> immigrants;
  std::vector<Move> moves;
  std::vector<std::size_t> move_of;
  for (const Migrant& migrant : migrants) {
    const BoundGrammar& grammar = grammars_.of(migrant.from);
    ByteReader in(*migrant.content);
    Individual individual = decode_individual(in, grammar);
    in.expect_end();
    if (belongs(individual, grammar)) {
      immigrants.push_back(std::move(individual));
      move_of.push_back(moves.size());
    }
    moves.push_back({migrant.from, migrant.slot, state_.island, Move::nowhere});
  }
  std::vector<const Individual*> pointers;
  for (const Individual& individual : immigrants) pointers.push_back(&individual);
  const auto places = algorithm_->immigrate(state_, pointers, generation_);
  for (std::size_t i = 0; i < places.size(); ++i) moves[move_of[i]].place = places[i];
  return moves;
}

}  // namespace atl
