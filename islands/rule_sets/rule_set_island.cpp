#include "islands/rule_sets/rule_set_island.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "islands/rule_sets/list_deriver.hpp"
#include "islands/rule_sets/list_trees.hpp"
#include "src/core/parallel.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {
namespace {

/// Lists of generation 0 come of so many runs of covering.
constexpr std::uint32_t coverings = 3;
/// And of so many trees: the first may use all attributes, others a share of them.
constexpr std::uint32_t trees = 2;
constexpr double share_of_attributes = 0.6;

}  // namespace

RuleSetIsland::RuleSetIsland(std::uint32_t number, const Experiment& experiment,
                             const ListSearch& search, std::unique_ptr<RuleGrower> grower,
                             std::unique_ptr<FoldScorer> scorer)
    : experiment_(experiment),
      search_(search),
      number_(number),
      grower_(std::move(grower)),
      scorer_(std::move(scorer)),
      breeder_(*search.sample, search.growth, search.most_rules, search.most_alternatives,
               search.judge.goal),
      populations_(search.parts.size(), SizeNiches(search.most_rules, search.room)) {}

Step RuleSetIsland::advance(PhaseTimes& spent) {
  if (waits_for_ == Batch::lists) {
    {
      const Stopwatch watch(spent.evaluate);
      scorer_->read(decided_);
    }
    const Stopwatch watch(spent.replacement);
    replace();
    if (!children_.empty()) {
      start_scores();
      return Step::waits;
    }
    waits_for_ = Batch::none;
    return Step::done;
  }
  if (waits_for_ == Batch::none) {
    const Stopwatch watch(spent.breed);
    begin();
  } else {
    {
      const Stopwatch watch(spent.fit);
      grown_.resize(tasks_.size());
      grower_->read(grown_);
    }
    const Stopwatch watch(spent.breed);
    take_rules();
  }
  if (!tasks_.empty()) {
    const Stopwatch watch(spent.fit);
    grower_->start(tasks_);
    waits_for_ = Batch::rules;
    return Step::waits;
  }
  const Stopwatch watch(spent.evaluate);
  start_scores();
  waits_for_ = Batch::lists;
  return Step::waits;
}

/// Leaves tasks if rules are to be grown.
void RuleSetIsland::begin() {
  generation_ += begun_ ? 1U : 0U;
  begun_ = true;
  std::vector<std::vector<SampledList>> of_trees;
  if (generation_ == 0) of_trees = grow_trees();
  for (std::size_t p = 0; p < populations_.size(); ++p) {
    if (!has(p)) continue;
    if (generation_ == 0) {
      derive(p);
      for (SampledList& list : of_trees[p]) children_.push_back({p, std::move(list)});
      begin_to_cover(p);
    } else {
      draft(p);
    }
  }
  if (generation_ == 0) ask_coverings();
  if (tasks_.empty()) take_rules();
}

void RuleSetIsland::derive(std::size_t part) {
  const auto slots = static_cast<std::uint32_t>(part) * experiment_.population;
  for (std::uint32_t slot = 0; slot < experiment_.population; ++slot) {
    RandomStream draws({experiment_.seed, number_, generation_, slots + slot, Purpose::mutate});
    children_.push_back({part, search_.deriver->derive(search_.parts[part], draws)});
  }
}

/// @return [parts] lists of all trees of those that it has
std::vector<std::vector<SampledList>> RuleSetIsland::grow_trees() const {
  const std::size_t parts = populations_.size();
  std::vector<std::vector<SampledList>> made(parts * trees);
  for_each_index(search_.pool, made.size(), [&](std::size_t i) {
    const std::size_t part = i / trees, tree = i % trees;
    if (!has(part)) return;
    RandomStream draws(
        {experiment_.seed, number_, generation_, static_cast<std::uint32_t>(i), Purpose::generate});
    const Impurity impurity = (number_ + tree) % 2 == 0 ? Impurity::gini : Impurity::entropy;
    const double share = tree == 0 ? 1 : share_of_attributes;
    made[i] = search_.trees->grow(search_.parts[part], impurity, share, draws);
  });
  std::vector<std::vector<SampledList>> of_parts(parts);
  for (std::size_t i = 0; i < made.size(); ++i)
    std::move(made[i].begin(), made[i].end(), std::back_inserter(of_parts[i / trees]));
  return of_parts;
}

void RuleSetIsland::begin_to_cover(std::size_t part) {
  const std::uint32_t slots = ListCovering::slots(search_.most_rules);
  for (std::uint32_t i = 0; i < coverings; ++i) {
    const auto slot = (static_cast<std::uint32_t>(part) * coverings + i) * slots;
    const DrawKey key = {experiment_.seed, number_, generation_, slot, Purpose::initialise};
    // The default class decides what lists there are, and evolution hardly changes it.
    RandomStream draws({key.seed, number_, generation_, slot, Purpose::select});
    const auto drawn = i == 0 ? std::nullopt : std::optional(draws.next_double());
    const bool pure = i != 1;
    coverings_.push_back(
        {part,
         key,
         {*search_.sample, search_.growth, search_.most_rules, search_.parts[part], pure, drawn}});
  }
}

void RuleSetIsland::draft(std::size_t part) {
  const auto slots = static_cast<std::uint32_t>(part) * experiment_.population;
  for (std::uint32_t slot = 0; slot < experiment_.population; ++slot) {
    RandomStream draws({experiment_.seed, number_, generation_, slots + slot, Purpose::mutate});
    if (auto draft = breeder_.draft(populations_[part], search_.parts[part], draws, tasks_)) {
      drafts_.push_back({part, std::move(*draft)});
    }
  }
}

void RuleSetIsland::ask_coverings() {
  for (const PartCovering& its : coverings_) {
    if (!its.covering.done()) its.covering.ask(tasks_, its.key);
  }
}

/// Makes children of what has been grown, and leaves tasks if more rules are to be grown first.
void RuleSetIsland::take_rules() {
  std::span<std::optional<Grown>> grown = grown_;
  tasks_.clear();
  for (PartCovering& its : coverings_) {
    if (its.covering.done()) continue;
    its.covering.take(grown.first(ListCovering::attempts));
    grown = grown.subspan(ListCovering::attempts);
  }
  ask_coverings();
  if (!tasks_.empty()) return;
  for (PartCovering& its : coverings_) {
    for (SampledList& list : its.covering.lists()) {
      children_.push_back({its.part, std::move(list)});
    }
  }
  coverings_.clear();
  std::optional<Grown> none;
  for (PartDraft& its : drafts_) {
    std::optional<Grown>& rule = its.draft.task ? grown_[*its.draft.task] : none;
    if (breeder_.finish(its.draft, search_.parts[its.part], rule)) {
      children_.push_back({its.part, std::move(its.draft.list)});
    }
  }
  drafts_.clear();
}

void RuleSetIsland::start_scores() {
  batch_.clear();
  BatchRoom room(search_.judge.classes());
  for (std::size_t i = replaced_; i < children_.size(); ++i) {
    if (!room.take(children_[i].list.rules.size())) break;
    batch_.push_back(children_[i].list.list());
  }
  scorer_->start(batch_);
}

void RuleSetIsland::replace() {
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    auto& [part, list] = children_[replaced_ + i];
    list.decided = std::move(decided_[i]);
    settle(list, search_.judge, search_.parts[part]);
    populations_[part].offer(std::move(list));
  }
  evaluated_ += batch_.size();
  replaced_ += batch_.size();
  if (replaced_ < children_.size()) return;
  children_.clear();
  replaced_ = 0;
}

HistoryRow RuleSetIsland::summary() const {
  HistoryRow row;
  row.generation = generation_;
  row.island = number_;
  row.evaluated = evaluated_;
  double best = std::numeric_limits<double>::quiet_NaN(), sum = 0;
  const auto lists = populations_[search_.main_part()].all();
  for (const SampledList* list : lists) {
    const double its = weighted_accuracy(*list, search_.judge, {});
    if (!(best >= its)) best = its;
    sum += its;
    row.mean_comparisons += static_cast<double>(list->comparisons);
  }
  row.feasible = lists.size();
  row.best = {best};
  row.mean = {sum / static_cast<double>(lists.size())};
  row.mean_comparisons /= static_cast<double>(lists.size());
  return row;
}

void RuleSetIsland::offer(Results& results) {
  // The results that a search makes for its islands are of this kind.
  auto& fronts = dynamic_cast<RuleSetResults&>(results);
  for (std::size_t p = 0; p < populations_.size(); ++p) {
    for (std::size_t rules = 0; rules <= search_.most_rules; ++rules) {
      const auto& niche = populations_[p].of_size(rules);
      if (!niche.empty()) fronts.offer(p, niche.front());
    }
  }
}

std::vector<Migrant> RuleSetIsland::emigrants(std::size_t most) {
  RandomStream draw({experiment_.seed, number_, generation_, 0, Purpose::migrate});
  std::vector<std::size_t> parts;
  for (std::size_t p = populations_.size(); p-- > 0;) {
    if (has(p)) parts.push_back(p);
  }
  std::vector<Migrant> migrants;
  const std::size_t sent =
      experiment_.migrate_every == 0 ? 0 : most * (generation_ / experiment_.migrate_every);
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t part = parts[(sent + i) % parts.size()];
    const SampledList& list = populations_[part].pick(draw);
    ByteWriter out;
    out.put(static_cast<std::uint32_t>(part));
    encode(out, list);
    migrants.push_back({number_, static_cast<std::uint32_t>(i),
                        std::make_shared<const Bytes>(std::move(out).take())});
  }
  return migrants;
}

std::vector<Move> RuleSetIsland::immigrate(std::span<const Migrant> migrants) {
  std::vector<Move> moves;
  for (const Migrant& migrant : migrants) {
    ByteReader in(*migrant.content);
    const auto part = in.get<std::uint32_t>();
    require_bytes(part < populations_.size(), "an immigrant is of no population");
    SampledList list =
        decode_list(in, *search_.sample, search_.judge, search_.parts[part], search_.most_rules);
    in.expect_end();
    const auto place = has(part) ? populations_[part].offer(std::move(list)) : std::nullopt;
    moves.push_back({migrant.from, migrant.slot, number_,
                     place ? static_cast<std::uint32_t>(*place) : Move::nowhere});
  }
  return moves;
}

std::vector<const SampledList*> RuleSetIsland::lists() const {
  std::vector<const SampledList*> all;
  for (const SizeNiches& population : populations_) {
    const auto its = population.all();
    all.insert(all.end(), its.begin(), its.end());
  }
  return all;
}

void RuleSetIsland::save(ByteWriter& out) const {
  for (const SizeNiches& population : populations_) {
    const auto lists = population.all();
    out.put(static_cast<std::uint64_t>(lists.size()));
    for (const SampledList* list : lists) encode(out, *list);
  }
}

void RuleSetIsland::load(ByteReader& in, const HistoryRow& last) {
  for (std::size_t p = 0; p < populations_.size(); ++p) {
    const std::size_t lists = in.get_count(1);
    for (std::size_t i = 0; i < lists; ++i) {
      const auto place = populations_[p].offer(
          decode_list(in, *search_.sample, search_.judge, search_.parts[p], search_.most_rules));
      require_bytes(place == i, "a population is out of order");
    }
    require_bytes((lists > 0) == has(p), "an island has other populations than it should have");
  }
  generation_ = last.generation;
  begun_ = true;
  evaluated_ = last.evaluated;
}

}  // namespace atl
