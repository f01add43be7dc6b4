#include "islands/rule_sets/sampled_list.hpp"

#include <algorithm>
#include <utility>

namespace atl {

SizeNiches::SizeNiches(std::size_t most_rules, std::size_t room)
    : niches_(most_rules + 1), room_(room) {}

std::optional<std::size_t> SizeNiches::offer(SampledList list) {
  const std::size_t rules = list.rules.size();
  if (rules >= niches_.size()) return std::nullopt;
  std::vector<SampledList>& niche = niches_[rules];
  for (const SampledList& other : niche) {
    if (other.fitness == list.fitness) return std::nullopt;
  }
  const auto at = std::find_if(niche.begin(), niche.end(),
                               [&](const SampledList& other) { return better(list, other); });
  const auto place = static_cast<std::size_t>(at - niche.begin());
  if (place >= room_) return std::nullopt;
  list.rules.shrink_to_fit();
  list.decided.shrink();
  niche.insert(at, std::move(list));
  if (niche.size() > room_) niche.pop_back();
  std::size_t before = 0;
  for (std::size_t r = 0; r < rules; ++r) before += niches_[r].size();
  return before + place;
}

const SampledList& SizeNiches::pick(RandomStream& stream) const {
  std::vector<std::size_t> front;
  for (std::size_t rules = 0; rules < niches_.size(); ++rules) {
    if (niches_[rules].empty()) continue;
    const double fitness = niches_[rules].front().fitness;
    if (front.empty() || fitness > niches_[front.back()].front().fitness) front.push_back(rules);
  }
  const auto& niche = niches_[front[stream.below(front.size())]];
  const std::uint64_t first = stream.below(niche.size()), second = stream.below(niche.size());
  return niche[static_cast<std::size_t>(std::min(first, second))];
}

std::size_t SizeNiches::size() const noexcept {
  std::size_t sum = 0;
  for (const auto& niche : niches_) sum += niche.size();
  return sum;
}

std::vector<const SampledList*> SizeNiches::all() const {
  std::vector<const SampledList*> lists;
  for (const auto& niche : niches_) {
    for (const SampledList& list : niche) lists.push_back(&list);
  }
  return lists;
}

RuleSet SampledList::list() const {
  RuleSet made;
  made.default_class = default_class;
  made.rules.reserve(rules.size());
  for (const SharedRule& rule : rules) made.rules.push_back(rule->rule());
  return made;
}

bool better(const SampledList& a, const SampledList& b) {
  if (a.fitness != b.fitness) return a.fitness > b.fitness;
  if (a.comparisons != b.comparisons) return a.comparisons < b.comparisons;
  return a.list() < b.list();
}

const SampledList* fittest_of(std::span<const std::optional<SampledList>> front,
                              std::size_t rules) {
  const SampledList* best = nullptr;
  for (const auto& list : front.first(rules + 1)) {
    if (list && (best == nullptr || better(*list, *best))) best = &*list;
  }
  return best;
}

}  // namespace atl
