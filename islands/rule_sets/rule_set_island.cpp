#include "islands/rule_sets/rule_set_island.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "src/core/stopwatch.hpp"

namespace atl {

namespace {

/// Lists of generation 0 come of so many runs of covering.
constexpr std::uint32_t coverings = 3;

std::size_t room_of(const Experiment& experiment, std::size_t most_rules) {
  return std::max<std::size_t>(experiment.population / (most_rules + 1), 2);
}

GrowthSettings growth_of(const Experiment& experiment) {
  return {experiment.settings.at("comparison_cost"), experiment.max_length, 2};
}

}  // namespace

RuleSetIsland::RuleSetIsland(std::uint32_t number, const Experiment& experiment,
                             const ListSearch& search, std::unique_ptr<FoldScorer> scorer)
    : experiment_(experiment),
      search_(search),
      number_(number),
      scorer_(std::move(scorer)),
      breeder_(*search.sample, search.judge.weights, growth_of(experiment), search.most_rules),
      populations_(search.parts.size(),
                   SizeNiches(search.most_rules, room_of(experiment, search.most_rules))) {}

const std::uint64_t* RuleSetIsland::rows(std::size_t part) const noexcept {
  const auto without = search_.parts[part].without;
  return without ? search_.sample->rows_without(*without) : search_.sample->rows();
}

Step RuleSetIsland::advance(PhaseTimes& spent) {
  if (!waits_) {
    begin();
    {
      const Stopwatch watch(spent.fit);
      for (std::size_t p = 0; p < populations_.size(); ++p) breed(p);
    }
    const Stopwatch watch(spent.evaluate);
    batch_.clear();
    for (const Child& child : children_) batch_.push_back(child.list.list());
    scorer_->start(batch_);
    waits_ = true;
    return Step::waits;
  }
  waits_ = false;
  {
    const Stopwatch watch(spent.evaluate);
    counts_.resize(batch_.size());
    scorer_->read(counts_);
  }
  const Stopwatch watch(spent.replacement);
  replace();
  return Step::done;
}

void RuleSetIsland::begin() {
  generation_ += begun_ ? 1U : 0U;
  begun_ = true;
  children_.clear();
}

void RuleSetIsland::breed(std::size_t part) {
  const auto slots = static_cast<std::uint32_t>(part) * experiment_.population;
  const auto stream = [&](std::uint32_t slot, Purpose purpose) {
    return RandomStream({experiment_.seed, number_, generation_, slots + slot, purpose});
  };
  if (generation_ == 0) {
    for (std::uint32_t i = 0; i < coverings; ++i) {
      RandomStream draws = stream(i, Purpose::initialise);
      for (SampledList& list : breeder_.cover(rows(part), draws)) {
        children_.push_back({part, std::move(list)});
      }
    }
    return;
  }
  for (std::uint32_t slot = 0; slot < experiment_.population; ++slot) {
    RandomStream draws = stream(slot, Purpose::mutate);
    if (auto child = breeder_.breed(populations_[part], rows(part), draws)) {
      children_.push_back({part, std::move(*child)});
    }
  }
}

void RuleSetIsland::replace() {
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    child.list.counts = std::move(counts_[i]);
    settle(child.list, search_.judge, search_.parts[child.part]);
    populations_[child.part].offer(std::move(child.list));
  }
  evaluated_ += children_.size();
  children_.clear();
}

HistoryRow RuleSetIsland::summary() const {
  HistoryRow row;
  row.generation = generation_;
  row.island = number_;
  row.evaluated = evaluated_;
  double best = std::numeric_limits<double>::quiet_NaN(), sum = 0;
  const auto lists = populations_.back().all();
  for (const SampledList* list : lists) {
    const double its = weighted_accuracy(*list, search_.judge, search_.parts.back());
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
  std::vector<Migrant> migrants;
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t part = populations_.size() - 1 - i % populations_.size();
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
    const auto place = populations_[part].offer(std::move(list));
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
    require_bytes(lists > 0, "a population is empty");
  }
  generation_ = last.generation;
  begun_ = true;
  evaluated_ = last.evaluated;
}

}  // namespace atl
