#include "islands/niching/breeder.hpp"

#include <algorithm>
#include <array>

#include "src/core/stopwatch.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl {
namespace {

constexpr int attempts = 4;
constexpr std::size_t most_in_round = 8192;  // children: each may ask for 4 kB
constexpr double least_rate = 0.05;          // of an operation
constexpr std::uint64_t rows_to_choose = 4;  // seeds take the least covered of so many

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

IntervalRows rows_to_draw(const Dataset& dataset, const FitRows& rows) {
  constexpr std::uint64_t least = 2048, rest = 32;  // rows looked at for each that may be found
  if (rows.last == 0) return {.most = dataset.rows(), .enough = dataset.rows()};
  const std::uint64_t last = rows.last;
  const auto enough = std::clamp(dataset.rows() / rest, std::min(least, last), last);
  return {.most = rest * enough, .enough = enough};
}

Breeder::Breeder(const BoundGrammar& grammar, const CoverageSample& sample,
                 const SimilarityTable& members, std::unique_ptr<IntervalFitter> fitter,
                 const FitRows& rows, Expression goal)
    : grammar_(grammar),
      sample_(sample),
      members_(members),
      fitter_(std::move(fitter)),
      trials_(grammar, sample, rows.first, std::move(goal)) {}

void Breeder::seed(std::span<const std::uint32_t> covered, RandomStream& stream,
                   Derivation& child) const {
  child = grammar_.derive(stream);
  std::size_t row = stream.below(sample_.rows());
  for (std::uint64_t i = 1; i < rows_to_choose && covered.size() == sample_.rows(); ++i) {
    const std::size_t other = stream.below(sample_.rows());
    if (covered[other] < covered[row]) row = other;
  }
  grammar_.repair(child, sample_.codes(row), stream);
}

void Breeder::begin(std::size_t children) {
  embryos_.clear();
  given_up_.clear();
  embryos_.reserve(children);
  given_up_.reserve(children);
  fitted_.reserve(children);
  trials_.reserve(children);
}

void Breeder::add(Individual& child, const RandomStream& stream) {
  embryos_.push_back({.child = &child, .stream = stream});
}

bool Breeder::start_round(const IslandState& state, std::span<const double> success) {
  if (embryos_.empty()) return false;
  trials_.clear();
  in_round_ = std::min(embryos_.size(), most_in_round);
  for (Embryo& embryo : std::span(embryos_).first(in_round_)) {
    if (embryo.unfitted.any()) {
      embryo.question = trials_.ask(embryo.child->derivation, embryo.unfitted);
    } else {
      attempt(state, success, embryo);
    }
  }
  const Stopwatch watch(fit_seconds_);
  const auto groups = trials_.groups();
  fits_ = groups.size();
  if (fits_ == 0) return true;
  fitter_->prepare(groups);
  fitter_->start();
  return true;
}

void Breeder::attempt(const IslandState& state, std::span<const double> success, Embryo& embryo) {
  Individual& child = *embryo.child;
  const Operation operation = draw_operation(success, embryo.stream);
  child.operation = operation;
  const Derivation& origin = state.population[child.parent].derivation;
  child.derivation = origin;
  embryo.question.reset();
  Change change{state, child.parent, origin, embryo, child.derivation, embryo.stream};
  embryo.changed = apply(operation, change);
}

void Breeder::end_round(const IslandState& state, RuleIndex& index) {
  if (fits_ != 0) {
    const Stopwatch watch(fit_seconds_);
    fitter_->finish();
    fitted_.resize(fits_);
    fitter_->read(fitted_);
    fits_ = 0;
  }
  const auto is_done = [&](Embryo& embryo) {
    take_answers(state, embryo, fitted_);
    if (embryo.unfitted.any()) return false;
    Individual& child = *embryo.child;
    if (embryo.changed) {
      child.stand_for_derivation(grammar_);
      if (index.insert(child)) return true;
    }
    if (++embryo.attempts < attempts) return false;
    given_up_.push_back(&child);
    return true;
  };
  std::size_t left = 0;
  for (std::size_t i = 0; i < embryos_.size(); ++i) {
    if (i < in_round_ && is_done(embryos_[i])) continue;
    if (left != i) embryos_[left] = embryos_[i];
    ++left;
  }
  embryos_.erase(embryos_.begin() + static_cast<std::ptrdiff_t>(left), embryos_.end());
}

void Breeder::take_answers(const IslandState& state, Embryo& embryo,
                           std::span<const FittedGroup> fitted) {
  if (!embryo.question) return;
  const FittedGroup& answer = fitted[*embryo.question];
  Derivation& child = embryo.child->derivation;
  if (embryo.unfitted.any()) {
    trials_.take(answer, embryo.unfitted, child);
  } else {
    embryo.unfitted = trials_.take(*embryo.question, answer, child);
  }
  if (embryo.child->operation == Operation::refit)
    embryo.changed = child != state.population[embryo.child->parent].derivation;
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

bool Breeder::ask(Change& change, std::size_t node, bool grows,
                  std::span<const std::uint64_t> side) {
  const SubtreeSite site = grammar_.site(change.origin, node, grows);
  change.embryo.question =
      trials_.ask(site, side, members_.consequent(change.parent), change.stream);
  return change.embryo.question.has_value();
}

bool Breeder::rederive_fitted(Change& change) {
  return ask(change, any_operand(change), false, members_.consequent(change.parent));
}

bool Breeder::grow_fitted(Change& change) {
  return ask(change, any_node(change), true, members_.antecedent(change.parent));
}

bool Breeder::refit(Change& change) {
  Unfitted& unfitted = change.embryo.unfitted;
  unfitted = {.refine_threshold = change.stream.chance(0.5)};
  unfitted.nodes.push_back(any_comparison(change));
  change.embryo.question = trials_.ask(change.child, unfitted);
  return true;
}

// Makes what is new hold where the rest does: on a row that the parent covers.
void Breeder::repair(Change& change) const {
  const auto antecedent = members_.antecedent(change.parent);
  const auto consequent = members_.consequent(change.parent);
  const std::size_t words = sample_.words();
  const std::uint64_t common = common_bits(antecedent.data(), consequent.data(), words);
  if (common == 0) return;
  const std::size_t row =
      nth_common_bit(antecedent.data(), consequent.data(), words, change.stream.below(common));
  grammar_.repair(change.child, sample_.codes(row), change.stream);
}

}  // namespace atl
