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

bool Archive::offer(const RuleRecord& record) {
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
  if (rules_.size() == capacity_) rules_.pop_back();
  rules_.insert(rules_.begin() + offset, record);
  return true;
}

void Archive::merge(const Archive& other) {
  for (const RuleRecord& record : other.rules_) offer(record);
}

}  // namespace atl
