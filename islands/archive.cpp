#include "islands/archive.hpp"

#include <algorithm>
#include <compare>
#include <tuple>

namespace atl {

namespace {

// Less: the record comes before `kept`. Equal: they are the same rule.
std::weak_ordering order(Measure by, double value, const RuleRecord& record,
                         const RuleRecord& kept) {
  if (const auto c = by_measure(value, evaluate(by, kept.table)); c != 0) return c;
  if (const auto c = record.rule.comparisons() <=> kept.rule.comparisons(); c != 0) return c;
  return record.rule <=> kept.rule;
}

}  // namespace

Archive::Archive(Measure by, std::size_t capacity) : by_(by), capacity_(capacity) {}

bool Archive::offer(const RuleRecord& record, std::uint64_t niche) {
  const double value = evaluate(by_, record.table);
  if (rules_.size() >= capacity_ &&
      (capacity_ == 0 || order(by_, value, record, rules_.back()) > 0)) {
    return false;
  }
  const auto place = std::partition_point(
      rules_.begin(), rules_.end(),
      [&](const RuleRecord& kept) { return order(by_, value, record, kept) > 0; });
  if (place != rules_.end() && order(by_, value, record, *place) == 0) {
    if (std::tie(record.generation, record.island) < std::tie(place->generation, place->island)) {
      *place = record;
    }
    return false;
  }
  const auto offset = place - rules_.begin();
  const auto before = std::count(niches_.begin(), niches_.begin() + offset, niche);
  if (static_cast<std::size_t>(before) >= per_niche) return false;

  rules_.insert(place, record);
  niches_.insert(niches_.begin() + offset, niche);
  auto surplus = static_cast<std::ptrdiff_t>(niches_.size());
  if (std::count(niches_.begin(), niches_.end(), niche) > std::ptrdiff_t{per_niche}) {
    while (niches_[static_cast<std::size_t>(--surplus)] != niche) {
    }
  } else if (rules_.size() > capacity_) {
    --surplus;
  } else {
    return true;
  }
  rules_.erase(rules_.begin() + surplus);
  niches_.erase(niches_.begin() + surplus);
  return true;
}

void Archive::merge(const Archive& other) {
  for (std::size_t i = 0; i < other.rules_.size(); ++i) offer(other.rules_[i], other.niches_[i]);
}

}  // namespace atl
