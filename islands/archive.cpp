#include "islands/archive.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <tuple>

namespace atl {

namespace {

// Less: the first comes before the second. Equal: they are the same rule.
std::weak_ordering order(double value, const Rule& rule, double other_value, const Rule& other) {
  if (const auto c = by_measure(value, other_value); c != 0) return c;
  if (const auto c = rule.comparisons() <=> other.comparisons(); c != 0) return c;
  return rule <=> other;
}

}  // namespace

Archive::Archive(Measure by, std::size_t capacity) : by_(by), capacity_(capacity) {}

bool Archive::offer(const RuleRecord& record, const Niche& niche) {
  if (capacity_ == 0) return false;
  const double value = evaluate(by_, record.table);
  const auto after = [&](const Entry& kept) {
    return order(value, record.rule, kept.value, kept.record.rule);
  };
  auto& entries = consequents_[niche.consequent];
  if (entries.size() == capacity_ && after(entries.back()) > 0) return false;
  const auto place = std::partition_point(entries.begin(), entries.end(),
                                          [&](const Entry& kept) { return after(kept) > 0; });
  if (place != entries.end() && after(*place) == 0) {
    RuleRecord& known = place->record;
    if (std::tie(record.generation, record.island) < std::tie(known.generation, known.island)) {
      known = record;
    }
    return false;
  }
  const auto same = [&](const Entry& kept) { return kept.structure == niche.structure; };
  const auto better = static_cast<std::size_t>(std::count_if(entries.begin(), place, same));
  if (better >= per_niche) return false;

  const auto added = entries.insert(place, {record, value, niche.structure});
  const auto twins = static_cast<std::size_t>(std::count_if(added, entries.end(), same));
  if (better + twins > per_niche) {
    const auto last = std::find_if(entries.rbegin(), entries.rend(), same);
    entries.erase(std::prev(last.base()));
  } else if (entries.size() > capacity_) {
    entries.pop_back();
  } else {
    ++size_;
  }
  return true;
}

void Archive::merge(const Archive& other) {
  for (const auto& [consequent, entries] : other.consequents_) {
    for (const Entry& entry : entries) offer(entry.record, {consequent, entry.structure});
  }
}

double Archive::best(Measure measure) const noexcept {
  double best = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [consequent, entries] : consequents_) {
    for (const Entry& entry : entries) {
      const double value = evaluate(measure, entry.record.table);
      if (by_measure(value, best) < 0) best = value;
    }
  }
  return best;
}

std::vector<RuleRecord> Archive::rules() const {
  std::vector<const Entry*> sorted;
  sorted.reserve(size_);
  for (const auto& [consequent, entries] : consequents_) {
    for (const Entry& entry : entries) sorted.push_back(&entry);
  }
  std::sort(sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) {
    return order(a->value, a->record.rule, b->value, b->record.rule) < 0;
  });
  std::vector<RuleRecord> rules;
  rules.reserve(sorted.size());
  for (const Entry* entry : sorted) rules.push_back(entry->record);
  return rules;
}

}  // namespace atl
