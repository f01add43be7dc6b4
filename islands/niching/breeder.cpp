#include "islands/niching/breeder.hpp"

#include <algorithm>
#include <array>

#include "src/core/stopwatch.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl {

namespace {

constexpr int attempts = 4;
constexpr int fits_compared = 16;
constexpr std::size_t rows_to_compare = 512;  // covered by the rest of a rule's side
constexpr double least_rate = 0.05;           // of an operation
constexpr std::uint64_t rows_to_choose = 4;   // seeds take the least covered of so many

Operation draw_operation(std::span<const double> success, RandomStream& stream) {
  double total = 0;
  for (const double rate : success) total += rate;
  double at = stream.next_double();
  for (std::uint8_t i = 0; i + 1 < operations; ++i) {
    const double share = total > 0 ? success[i] / total : 1.0 / operations;
    at -= least_rate + (1 - operations * least_rate) * share;
    if (at < 0) return static_cast<Operation>(i);
  }
  return static_cast<Operation>(operations - 1);
}

}  // namespace

IntervalRows rows_to_fit(const Dataset& dataset) {
  const auto enough = std::clamp<std::uint64_t>(dataset.rows() / 32, 2048, 8192);
  return {.most = 32 * enough, .enough = enough};
}

Breeder::Breeder(const BoundGrammar& grammar, const CoverageSample& sample,
                 const SimilarityTable& members, std::unique_ptr<IntervalFitter> fitter,
                 Expression goal)
    : grammar_(grammar),
      sample_(sample),
      members_(members),
      fitter_(std::move(fitter)),
      goal_(std::move(goal)) {}

void Breeder::seed(const IslandState& state, RandomStream& stream, Derivation& child) const {
  child = grammar_.derive(stream);
  std::size_t row = stream.below(sample_.rows());
  for (std::uint64_t i = 1; i < rows_to_choose && state.covered.size() == sample_.rows(); ++i) {
    const std::size_t other = stream.below(sample_.rows());
    if (state.covered[other] < state.covered[row]) row = other;
  }
  grammar_.repair(child, sample_.codes(row), stream);
}

bool Breeder::breed(const IslandState& state, RandomStream& stream, RuleIndex& index,
                    Individual& child) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Operation operation = draw_operation(state.success, stream);
    child.operation = operation;
    const Derivation& origin = state.population[child.parent].derivation;
    child.derivation = origin;
    Change change{state, child.parent, origin, child.derivation, stream};
    if (!apply(operation, change)) continue;
    child.stand_for(grammar_.rule(child.derivation));
    if (index.insert(child)) return true;
  }
  seed(state, stream, child.derivation);
  child.operation.reset();
  return false;
}

bool Breeder::apply(Operation operation, Change& change) {
  using Apply = bool (Breeder::*)(Change&);
  static constexpr std::array<Apply, operations> table = {&Breeder::subtree_crossover,
                                                          &Breeder::rederive,
                                                          &Breeder::grow,
                                                          &Breeder::shrink,
                                                          &Breeder::perturb,
                                                          &Breeder::rederive_fitted,
                                                          &Breeder::grow_fitted,
                                                          &Breeder::refit};
  if (change.child.size() < 2) return false;
  return (this->*table[static_cast<std::size_t>(operation)])(change);
}

std::size_t Breeder::any_node(const Change& change) {
  return 1 + static_cast<std::size_t>(change.stream.below(change.origin.size() - 1));
}

std::size_t Breeder::any_comparison(const Change& change) const {
  const auto nodes = grammar_.comparison_nodes(change.origin);
  return nodes[change.stream.below(nodes.size())];
}

// A comparison alone would keep its form, so this may be what stands for nothing but it.
std::size_t Breeder::any_operand(const Change& change) const {
  const Derivation& origin = change.origin;
  std::size_t node = any_comparison(change);
  while (node > 1 && origin[node - 1].size == origin[node].size + 1 && change.stream.chance(0.5)) {
    --node;
  }
  return node;
}

bool Breeder::subtree_crossover(Change& change) {
  const auto& population = change.state.population;
  const Individual& donor = population[change.stream.below(population.size())];
  return atl::subtree_crossover(grammar_, change.child, donor.derivation, change.stream);
}

bool Breeder::rederive(Change& change) {
  if (!grammar_.rederive(change.child, any_operand(change), change.stream)) return false;
  repair(change);
  return true;
}

bool Breeder::grow(Change& change) {
  if (!grammar_.grow(change.child, any_node(change), change.stream)) return false;
  repair(change);
  return true;
}

bool Breeder::shrink(Change& change) {
  return grammar_.shrink(change.child, any_node(change), change.stream);
}

bool Breeder::perturb(Change& change) {
  return grammar_.perturb(change.child, any_comparison(change), change.stream);
}

template <typename Make>
bool Breeder::best_fitted(Change& change, std::span<const std::uint64_t> side, const Make& make) {
  const Stopwatch watch(fit_seconds_);
  const auto consequent = members_.consequent(change.parent);
  trials_.clear();
  for (int i = 0; i < fits_compared; ++i) {
    Trial trial{.child = change.origin, .refine_threshold = i % 4 >= 2};
    if (!make(trial.child)) continue;
    if (i % 2 == 1) trial.row = common_row(side, consequent, change.stream);
    trial.fresh = new_comparisons(change.origin, trial.child);
    trials_.push_back(trial);
  }
  if (trials_.empty()) return false;
  questions_.clear();
  for (Trial& trial : trials_) questions_.push_back(question(trial, 0));
  const FittedGroup fitted =
      fitter_->fit({.trials = questions_, .rows_to_compare = rows_to_compare});
  Trial& best = trials_[fitted.winner];
  take(best, 0, fitted.interval);
  for (std::size_t i = 1; i < best.fresh.size(); ++i) fit(best, i);
  change.child = best.child;
  return true;
}

bool Breeder::rederive_fitted(Change& change) {
  const std::size_t node = any_operand(change);
  return best_fitted(change, members_.consequent(change.parent),
                     [&](Derivation& d) { return grammar_.rederive(d, node, change.stream); });
}

bool Breeder::grow_fitted(Change& change) {
  const std::size_t node = any_node(change);
  return best_fitted(change, members_.antecedent(change.parent),
                     [&](Derivation& d) { return grammar_.grow(d, node, change.stream); });
}

bool Breeder::refit(Change& change) {
  const Stopwatch watch(fit_seconds_);
  Trial trial{.child = change.origin, .refine_threshold = change.stream.chance(0.5)};
  trial.fresh.push_back(any_comparison(change));
  if (!fit(trial, 0)) return false;
  change.child = trial.child;
  return change.child != change.origin;
}

std::optional<std::size_t> Breeder::common_row(std::span<const std::uint64_t> a,
                                               std::span<const std::uint64_t> b,
                                               RandomStream& stream) const {
  const std::uint64_t count = common_bits(a.data(), b.data(), sample_.words());
  if (count == 0) return std::nullopt;
  return nth_common_bit(a.data(), b.data(), sample_.words(), stream.below(count));
}

// What is new should hold where the rest does: on a row that the parent covers.
void Breeder::repair(Change& change) const {
  const auto row = common_row(members_.antecedent(change.parent),
                              members_.consequent(change.parent), change.stream);
  if (row) grammar_.repair(change.child, sample_.codes(*row), change.stream);
}

Positions Breeder::new_comparisons(const Derivation& parent, const Derivation& child) const {
  Positions fresh;
  for (const std::size_t node : grammar_.comparison_nodes(child)) {
    const auto same = [&](const DerivationNode& n) {
      return n.symbol == child[node].symbol && n.comparison == child[node].comparison;
    };
    if (std::none_of(parent.begin(), parent.end(), same)) fresh.push_back(node);
  }
  return fresh;
}

// The comparisons of a side with which a new one has to hold: without those that are fitted later.
void Breeder::note_rest(Trial& trial, const Expression& side,
                        std::span<const std::size_t> fitted_from_here) {
  trial.rest.clear();
  for (const Comparison& c : side.comparisons()) {
    const bool left_out = std::any_of(
        fitted_from_here.begin(), fitted_from_here.end(),
        [&](std::size_t node) { return trial.child[node].comparison.attribute == c.attribute; });
    if (!left_out) trial.rest.push_back(c);
  }
}

/// How to give one of the new comparisons the codes that gain most, those behind it left out, the
/// rest being as it is. Nothing if it cannot be fitted.
/// @param trial  must stay as long as the answer is used
std::optional<IntervalTrial> Breeder::question(Trial& trial, std::size_t which) const {
  if (which >= trial.fresh.size()) return std::nullopt;
  const Derivation& child = trial.child;
  const auto nodes = std::span<const std::size_t>(trial.fresh).subspan(which);
  const DerivationNode& node = child[nodes.front()];
  const auto relation = grammar_.relation(node);
  trial.rule = grammar_.rule(child);
  const auto& [antecedent, consequent] = trial.rule;
  if (!relation || !antecedent.is_conjunction() || !consequent.is_conjunction()) {
    return std::nullopt;
  }
  const std::uint32_t attribute = node.comparison.attribute;
  const auto of_consequent = consequent.comparisons();
  const bool in_consequent =
      std::any_of(of_consequent.begin(), of_consequent.end(),
                  [&](const Comparison& c) { return c.attribute == attribute; });
  const Expression& goal = goal_.empty() ? consequent : goal_;
  std::optional<std::uint32_t> through;
  if (trial.row) through = sample_.codes(*trial.row)[attribute];
  if (through == missing_code) through.reset();
  note_rest(trial, in_consequent ? consequent : antecedent, nodes);
  return IntervalTrial{.attribute = attribute,
                       .relation = *relation,
                       .rest = trial.rest,
                       .positives = (in_consequent ? antecedent : goal).comparisons(),
                       .refine_threshold = trial.refine_threshold,
                       .through = through,
                       .only = grammar_.only_code(node)};
}

/// False where nothing gains.
bool Breeder::fit(Trial& trial, std::size_t which) {
  questions_.assign(1, question(trial, which));
  const FittedGroup fitted = fitter_->fit({.trials = questions_});
  take(trial, which, fitted.interval);
  return fitted.interval.has_value();
}

void Breeder::take(Trial& trial, std::size_t which,
                   const std::optional<FittedInterval>& interval) const {
  if (interval) grammar_.set_codes(trial.child, trial.fresh[which], interval->low, interval->high);
}

}  // namespace atl
