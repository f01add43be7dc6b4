#include "src/results/archive.hpp"

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

Archive::Archive(Measure by, std::size_t capacity, std::size_t per_bucket)
    : by_(by), capacity_(capacity), per_bucket_(per_bucket) {}

bool Archive::offer(const RuleRecord& record, const Niche& niche) {
  if (capacity_ == 0) return false;
  const double value = evaluate(by_, record.table);
  const auto after = [&](const Entry& kept) {
    return order(value, record.rule, kept.value, records_[kept.record].rule);
  };
  auto& entries = consequents_[niche.consequent];
  if (entries.size() == capacity_ && after(entries.back()) > 0) return false;
  const auto place = std::partition_point(entries.begin(), entries.end(),
                                          [&](const Entry& kept) { return after(kept) > 0; });
  if (place != entries.end() && after(*place) == 0) {
    RuleRecord& known = records_[place->record];
    if (std::tie(record.generation, record.island) < std::tie(known.generation, known.island)) {
      known = record;
    }
    return false;
  }
  const auto same = [&](const Entry& kept) { return kept.structure == niche.structure; };
  const auto near = [&](const Entry& kept) { return kept.bucket == niche.bucket; };
  const auto better = [&](const auto& kind) {
    return static_cast<std::size_t>(std::count_if(entries.begin(), place, kind));
  };
  if (better(same) >= per_structure || better(near) >= per_bucket_) return false;

  entries.insert(place, {value, niche.bucket, niche.structure, store(record)});
  ++size_;
  if (!keep_first(entries, per_structure, same) && !keep_first(entries, per_bucket_, near)) {
    keep_first(entries, capacity_, [](const Entry&) { return true; });
  }
  return true;
}

Archive::Bars Archive::bars(const Niche& niche) const {
  Bars bars;
  const auto found = consequents_.find(niche.consequent);
  if (found == consequents_.end()) return bars;
  const auto& entries = found->second;
  if (entries.size() >= capacity_) bars[0] = entries.back().value;
  std::size_t near = 0;
  std::size_t same = 0;
  for (const Entry& entry : entries) {
    if (entry.bucket == niche.bucket && ++near == per_bucket_) bars[1] = entry.value;
    if (entry.structure == niche.structure && ++same == per_structure) bars[2] = entry.value;
  }
  return bars;
}

/// Removes the last of a kind if there are more than `most`. True if it did.
template <typename Kind>
bool Archive::keep_first(std::vector<Entry>& entries, std::size_t most, const Kind& kind) {
  const auto all = static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), kind));
  if (all <= most) return false;
  const auto last = std::find_if(entries.rbegin(), entries.rend(), kind);
  erase(entries, std::prev(last.base()));
  return true;
}

std::uint32_t Archive::store(const RuleRecord& record) {
  if (free_.empty()) {
    records_.push_back(record);
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  const std::uint32_t at = free_.back();
  free_.pop_back();
  records_[at] = record;
  return at;
}

void Archive::erase(std::vector<Entry>& entries, std::vector<Entry>::iterator entry) {
  free_.push_back(entry->record);
  entries.erase(entry);
  --size_;
}

void Archive::merge(const Archive& other) {
  for (const auto& [consequent, entries] : other.consequents_) {
    for (const Entry& entry : entries) {
      offer(other.records_[entry.record], {consequent, entry.bucket, entry.structure});
    }
  }
}

double Archive::best(Measure measure) const noexcept {
  double best = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [consequent, entries] : consequents_) {
    for (const Entry& entry : entries) {
      const double value = evaluate(measure, records_[entry.record].table);
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
  std::sort(sorted.begin(), sorted.end(), [this](const Entry* a, const Entry* b) {
    return order(a->value, records_[a->record].rule, b->value, records_[b->record].rule) < 0;
  });
  std::vector<RuleRecord> rules;
  rules.reserve(sorted.size());
  for (const Entry* entry : sorted) rules.push_back(records_[entry->record]);
  return rules;
}

}  // namespace atl
