#include "src/results/refinement/counted_rules.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "src/core/time_line.hpp"
#include "src/measures/measures.hpp"

namespace atl {

CountedRules::CountedRules(Resident& resident, const CountingOptions& options)
    : resident_(resident), options_(options) {}

std::vector<std::size_t> CountedRules::places_of(std::span<const Rule> rules) {
  std::vector<std::size_t> places;
  places.reserve(rules.size());
  for (const Rule& rule : rules) places.push_back(place_of(rule));
  return places;
}

std::vector<RuleStatistics> CountedRules::statistics_at(std::span<const std::size_t> places) const {
  std::vector<RuleStatistics> statistics;
  statistics.reserve(places.size());
  for (const std::size_t place : places) statistics.push_back(statistics_[place]);
  return statistics;
}

std::vector<RuleStatistics> CountedRules::count(std::span<const Rule> rules) {
  const auto places = places_of(rules);
  count_added();
  auto statistics = statistics_at(places);
  for (RuleStatistics& one : statistics) note_nearest(one.table, {});
  return statistics;
}

std::vector<RuleStatistics> CountedRules::count_generalised(std::span<const Rule> rules) {
  const auto places = places_of(rules);
  note_generalisations(places);
  return statistics_at(places);
}

// One generalisation after the other, as most rules fall by one of the first.
std::vector<RuleStatistics> CountedRules::count_above(std::span<const Rule> rules,
                                                      std::span<const double> contrasts) {
  std::vector<RuleStatistics> statistics = count(rules);
  std::vector<std::vector<Rule>> general(rules.size());
  std::vector<std::vector<RuleStatistics>> of_general(rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) generalisation().generalise(rules[i], general[i]);
  std::vector<std::size_t> left(rules.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (std::size_t round = 0; !left.empty(); ++round) {
    std::erase_if(left, [&](std::size_t i) { return general[i].size() == round; });
    std::vector<std::size_t> places;
    for (const std::size_t i : left) places.push_back(place_of(general[i][round]));
    count_added();
    for (std::size_t k = 0; k < left.size(); ++k) {
      of_general[left[k]].push_back(statistics_[places[k]]);
      note_nearest(statistics[left[k]].table, of_general[left[k]]);
    }
    std::erase_if(left, [&](std::size_t i) {
      return by_measure(evaluate(Measure::contrast, statistics[i].table), contrasts[i]) >= 0;
    });
  }
  return statistics;
}

const Generalisation& CountedRules::generalisation() {
  if (!generalisation_) generalisation_.emplace(resident_.dataset().attributes());
  return *generalisation_;
}

void CountedRules::note_generalisations(std::span<const std::size_t> places) {
  noted_.resize(rules_.size(), false);
  std::vector<std::size_t> fresh, of_fresh, ends;
  std::vector<Rule> general;
  for (const std::size_t place : places) {
    if (noted_[place]) continue;
    noted_[place] = true;
    fresh.push_back(place);
    general.clear();
    generalisation().generalise(rules_[place], general);
    for (const Rule& one : general) of_fresh.push_back(place_of(one));
    ends.push_back(of_fresh.size());
  }
  count_added();
  auto next = of_fresh.begin();
  std::vector<RuleStatistics> of_general;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    of_general.clear();
    for (; next != of_fresh.begin() + static_cast<std::ptrdiff_t>(ends[i]); ++next)
      of_general.push_back(statistics_[*next]);
    note_nearest(statistics_[fresh[i]].table, of_general);
  }
}

std::size_t CountedRules::place_of(const Rule& rule) {
  const std::uint64_t key = hash(rule);
  const auto [begin, end] = places_.equal_range(key);
  for (auto place = begin; place != end; ++place) {
    if (rules_[place->second] == rule) return place->second;
  }
  places_.emplace(key, rules_.size());
  rules_.push_back(rule);
  return rules_.size() - 1;
}

void CountedRules::count_added() {
  const std::vector<Rule> added(rules_.begin() + static_cast<std::ptrdiff_t>(statistics_.size()),
                                rules_.end());
  if (added.empty()) return;
  auto counts = in_phase("counts", [&] { return resident_.count(added, options_); });
  std::move(counts.begin(), counts.end(), std::back_inserter(statistics_));
}

}  // namespace atl
