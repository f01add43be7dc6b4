#include "src/results/counted_rules.hpp"

#include <utility>

namespace atl {

CountedRules::CountedRules(Resident& resident, const CountingOptions& options)
    : resident_(resident), options_(options) {}

std::vector<RuleStatistics> CountedRules::count(std::span<const Rule> rules) {
  std::vector<Rule> fresh;
  std::vector<RuleStatistics*> statistics, to_fill;
  for (const Rule& rule : rules) {
    const auto [place, is_new] = known_.try_emplace(rule);
    statistics.push_back(&place->second);
    if (!is_new) continue;
    fresh.push_back(rule);
    to_fill.push_back(&place->second);
  }
  if (!fresh.empty()) {
    std::vector<RuleStatistics> counts = resident_.count(fresh, options_);
    for (std::size_t i = 0; i < fresh.size(); ++i) *to_fill[i] = std::move(counts[i]);
  }
  std::vector<RuleStatistics> counts;
  counts.reserve(rules.size());
  for (const RuleStatistics* const of_rule : statistics) counts.push_back(*of_rule);
  return counts;
}

std::vector<RuleStatistics> CountedRules::count_generalised(std::span<const Rule> rules) {
  if (!generalisation_) generalisation_.emplace(resident_.dataset().attributes());
  std::vector<Rule> all(rules.begin(), rules.end());
  std::vector<std::size_t> ends;
  for (const Rule& rule : rules) {
    generalisation_->generalise(rule, all);
    ends.push_back(all.size());
  }
  std::vector<RuleStatistics> counts = count(all);
  std::size_t begin = rules.size();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    note_nearest(counts[i].table, std::span(counts).subspan(begin, ends[i] - begin));
    begin = ends[i];
  }
  counts.resize(rules.size());
  return counts;
}

}  // namespace atl
