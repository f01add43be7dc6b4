#include "src/results/counted_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace atl {

CountedRules::CountedRules(Resident& resident, const CountingOptions& options)
    : resident_(resident), options_(options) {}

std::vector<RuleStatistics> CountedRules::count(std::span<const Rule> rules) {
  std::vector<std::size_t> places;
  places.reserve(rules.size());
  for (const Rule& rule : rules) places.push_back(place_of(rule));
  count_added();
  std::vector<RuleStatistics> statistics;
  statistics.reserve(rules.size());
  for (const std::size_t place : places) statistics.push_back(statistics_[place]);
  return statistics;
}

std::vector<RuleStatistics> CountedRules::count_generalised(std::span<const Rule> rules) {
  if (!generalisation_) generalisation_.emplace(resident_.dataset().attributes());
  std::vector<std::size_t> places, ends;
  std::vector<Rule> general;
  for (const Rule& rule : rules) {
    general.clear();
    generalisation_->generalise(rule, general);
    for (const Rule& one : general) places.push_back(place_of(one));
    ends.push_back(places.size());
  }
  std::vector<RuleStatistics> statistics = count(rules);
  std::vector<RuleStatistics> of_general;
  auto place = places.begin();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    of_general.clear();
    for (; place != places.begin() + static_cast<std::ptrdiff_t>(ends[i]); ++place) {
      of_general.push_back(statistics_[*place]);
    }
    note_nearest(statistics[i].table, of_general);
  }
  return statistics;
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
  const auto added = std::span<const Rule>(rules_).subspan(statistics_.size());
  if (added.empty()) return;
  auto counts = resident_.count(added, options_);
  std::move(counts.begin(), counts.end(), std::back_inserter(statistics_));
}

}  // namespace atl
