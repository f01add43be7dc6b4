#include "islands/niching/fitted_trials.hpp"

#include <algorithm>

#include "src/sampling/common_bits.hpp"

namespace atl {
namespace {

constexpr std::size_t fits_compared = 16;

/// Positions of the comparisons that the origin has nowhere.
Positions new_comparisons(const BoundGrammar& grammar, const Derivation& origin,
                          std::span<const DerivationNode> drawn) {
  Positions fresh;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (!grammar.is_comparison(drawn[i])) continue;
    const auto same = [&](const DerivationNode& n) {
      return n.comparison == drawn[i].comparison && n.symbol == drawn[i].symbol;
    };
    if (std::none_of(origin.begin(), origin.end(), same)) fresh.push_back(i);
  }
  return fresh;
}

bool names(std::span<const DerivationNode> drawn, std::span<const std::size_t> fresh,
           std::uint32_t attribute) {
  return std::any_of(fresh.begin(), fresh.end(),
                     [&](std::size_t i) { return drawn[i].comparison.attribute == attribute; });
}

}  // namespace

void FittedTrials::Kept::clear() noexcept {
  for (auto& block : blocks_) block.clear();
  block_ = 0;
}

std::span<const Comparison> FittedTrials::Kept::put(std::span<const Comparison> comparisons) {
  constexpr std::size_t room = 4096;
  const auto fits = [&](const std::vector<Comparison>& block) {
    return block.capacity() - block.size() >= comparisons.size();
  };
  while (block_ < blocks_.size() && !fits(blocks_[block_])) ++block_;
  if (block_ == blocks_.size()) blocks_.emplace_back().reserve(std::max(room, comparisons.size()));
  auto& block = blocks_[block_];
  block.insert(block.end(), comparisons.begin(), comparisons.end());
  return std::span(block).last(comparisons.size());
}

void FittedTrials::clear() noexcept {
  questions_.clear();
  trials_.clear();
  asked_.clear();
  nodes_.clear();
  comparisons_.clear();
}

void FittedTrials::reserve(std::size_t derivations) {
  constexpr std::size_t nodes = 4;    // of a trial
  constexpr std::size_t many = 1024;  // more find room as they come
  derivations = std::min(derivations, many);
  const std::size_t trials = derivations * fits_compared;
  questions_.reserve(derivations);
  groups_.reserve(derivations);
  trials_.reserve(trials);
  asked_.reserve(trials);
  nodes_.reserve(trials * nodes);
}

/// The comparisons of the side that a node is on, and those that it is fitted to, as they are
/// written. Rows are the same as of the canonical rule if there are only conjunctions.
/// @param without  so many nodes are left out, from the node on
FittedTrials::Sides FittedTrials::sides_around(const Derivation& derivation, std::size_t node,
                                               std::size_t without) const {
  const std::size_t consequent = grammar_.consequent_begin(derivation);
  Sides sides;
  for (std::size_t i = 0; i < derivation.size(); ++i) {
    if (i >= node && i < node + without) continue;
    if (!grammar_.is_comparison(derivation[i])) continue;
    const bool own = (i < consequent) == (node < consequent);
    (own ? sides.own : sides.other).push_back(derivation[i].comparison);
  }
  if (node < consequent && !goal_.empty()) sides.other.assign(goal_.comparisons());
  return sides;
}

/// The sides of the canonical rule likewise; nothing if a side of it is more than a conjunction.
std::optional<FittedTrials::Sides> FittedTrials::canonical_sides(const Derivation& derivation,
                                                                 std::size_t node) const {
  const Rule rule = grammar_.rule(derivation);
  if (!rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) return std::nullopt;
  const bool in_antecedent = node < grammar_.consequent_begin(derivation);
  const Expression& goal = goal_.empty() ? rule.consequent : goal_;
  Sides sides;
  sides.own.assign((in_antecedent ? rule.antecedent : rule.consequent).comparisons());
  sides.other.assign((in_antecedent ? goal : rule.antecedent).comparisons());
  return sides;
}

/// Comparisons that the first of some new ones is fitted among; the others are fitted later and
/// left out until then.
/// @param unfitted  their nodes
std::optional<FittedTrials::Among> FittedTrials::among(const Derivation& derivation,
                                                       std::span<const std::size_t> unfitted) {
  const std::size_t node = unfitted.front();
  const auto sides =
      conjunctions_ ? sides_around(derivation, node, 0) : canonical_sides(derivation, node);
  if (!sides) return std::nullopt;
  Conjunction rest;
  for (const Comparison& c : sides->own) {
    const bool left_out = std::any_of(unfitted.begin(), unfitted.end(), [&](std::size_t at) {
      return derivation[at].comparison.attribute == c.attribute;
    });
    if (!left_out) rest.push_back(c);
  }
  return Among{comparisons_.put(rest), comparisons_.put(sides->other)};
}

/// Comparisons that the first new one of drawn_ is fitted among. The changes at a site mostly have
/// in common what is left of their origin.
/// @param left   that, where there are only conjunctions
/// @param fresh  positions of new comparisons in drawn_
std::optional<FittedTrials::Among> FittedTrials::among(const SubtreeSite& site, const Among& left,
                                                       std::span<const std::size_t> fresh) {
  if (!conjunctions_) {
    child_ = site.derivation;
    BoundGrammar::put(child_, site.node, drawn_);
    Positions nodes;
    for (const std::size_t i : fresh) nodes.push_back(site.node + i);
    return among(child_, nodes);
  }
  if (is_shared(site, left, fresh)) return left;
  Conjunction rest;
  const auto add = [&](const Comparison& c) {
    if (!names(drawn_, fresh, c.attribute)) rest.push_back(c);
  };
  for (const Comparison& c : left.rest) add(c);
  // All that growth around a subtree has of the origin is in `left`.
  for (std::size_t i = 0; !site.grows && i < drawn_.size(); ++i) {
    if (grammar_.is_comparison(drawn_[i])) add(drawn_[i].comparison);
  }
  return Among{comparisons_.put(rest), left.positives};
}

/// Is nothing left out of what is left, and does nothing of what is drawn join it?
bool FittedTrials::is_shared(const SubtreeSite& site, const Among& left,
                             std::span<const std::size_t> fresh) const {
  const auto all = std::count_if(drawn_.begin(), drawn_.end(), [this](const DerivationNode& node) {
    return grammar_.is_comparison(node);
  });
  if (!site.grows && static_cast<std::size_t>(all) != fresh.size()) return false;
  return std::none_of(left.rest.begin(), left.rest.end(),
                      [&](const Comparison& c) { return names(drawn_, fresh, c.attribute); });
}

/// @param node   the comparison that is fitted
/// @param among  nothing if it cannot be fitted
void FittedTrials::add(const Trial& trial, const DerivationNode& node,
                       const std::optional<Among>& among) {
  const auto relation = grammar_.relation(node);
  trials_.push_back(trial);
  auto& asked = asked_.emplace_back();
  if (!relation || !among) return;
  const std::uint32_t attribute = node.comparison.attribute;
  asked.emplace();
  asked->attribute = attribute;
  asked->relation = *relation;
  asked->rest = among->rest;
  asked->positives = among->positives;
  asked->refine_threshold = trial.refine_threshold;
  asked->only = grammar_.only_code(node);
  if (!trial.row) return;
  const std::uint32_t code = sample_.codes(*trial.row)[attribute];
  if (code != missing_code) asked->through = code;
}

std::optional<std::size_t> FittedTrials::ask(const SubtreeSite& site,
                                             std::span<const std::uint64_t> side,
                                             std::span<const std::uint64_t> consequent,
                                             RandomStream& stream) {
  const std::uint64_t common = common_bits(side.data(), consequent.data(), sample_.words());
  const std::size_t replaced = site.grows ? 0 : site.derivation[site.node].size;
  const Sides sides = sides_around(site.derivation, site.node, replaced);
  const Among left{comparisons_.put(sides.own), comparisons_.put(sides.other)};
  const std::size_t first = trials_.size();
  for (std::size_t i = 0; i < fits_compared; ++i) {
    if (!grammar_.draw(site, stream, drawn_)) continue;
    Trial trial{.drawn = {nodes_.size(), drawn_.size()}, .refine_threshold = i % 4 >= 2};
    if (i % 2 == 1 && common != 0)
      trial.row =
          nth_common_bit(side.data(), consequent.data(), sample_.words(), stream.below(common));
    nodes_.insert(nodes_.end(), drawn_.begin(), drawn_.end());
    const Positions fresh = new_comparisons(grammar_, site.derivation, drawn_);
    if (fresh.empty()) {
      add(trial, drawn_.front(), std::nullopt);
    } else {
      add(trial, drawn_[fresh.front()], among(site, left, fresh));
    }
  }
  if (trials_.size() == first) return std::nullopt;
  questions_.push_back({site.node, {first, trials_.size() - first}, true});
  return questions_.size() - 1;
}

std::size_t FittedTrials::ask(const Derivation& derivation, const Unfitted& unfitted) {
  const auto nodes = std::span<const std::size_t>(unfitted.nodes).subspan(unfitted.next);
  questions_.push_back({nodes.front(), {trials_.size(), 1}, false});
  add({.row = unfitted.row, .refine_threshold = unfitted.refine_threshold},
      derivation[nodes.front()], among(derivation, nodes));
  return questions_.size() - 1;
}

std::span<const IntervalGroup> FittedTrials::groups() {
  groups_.clear();
  for (const Question& question : questions_) {
    IntervalGroup& group = groups_.emplace_back();
    group.trials = std::span(asked_).subspan(question.trials.begin, question.trials.count);
    if (question.compares) group.rows_to_compare = rows_to_compare_;
  }
  return groups_;
}

Unfitted FittedTrials::take(std::size_t question, const FittedGroup& fitted,
                            Derivation& child) const {
  const Question& asked = questions_[question];
  const Trial& winner = trials_[asked.trials.begin + fitted.winner];
  const auto drawn = std::span(nodes_).subspan(winner.drawn.begin, winner.drawn.count);
  Unfitted unfitted{.row = winner.row, .refine_threshold = winner.refine_threshold};
  for (const std::size_t i : new_comparisons(grammar_, child, drawn))
    unfitted.nodes.push_back(asked.node + i);
  BoundGrammar::put(child, asked.node, drawn);
  if (unfitted.any()) take(fitted, unfitted, child);
  return unfitted;
}

void FittedTrials::take(const FittedGroup& fitted, Unfitted& unfitted, Derivation& child) const {
  const std::size_t node = unfitted.nodes[unfitted.next++];
  if (fitted.interval) grammar_.set_codes(child, node, fitted.interval->low, fitted.interval->high);
}

}  // namespace atl
