#include "src/results/archive/archive.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <tuple>

namespace atl {
namespace {

// Finaliser of SplitMix64 (Steele, Lea, Flood 2014) over the value and what came before.
std::uint64_t mix(std::uint64_t state, std::uint64_t value) noexcept {
  std::uint64_t z = (state ^ value) + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// Takes nearly every code, and as bins hold about as many rows each, nearly every row.
bool vacuous(const Comparison& comparison, const Attribute& attribute) noexcept {
  if (!attribute.ordered() || comparison.negated) return false;
  if (asks_presence(comparison, attribute)) return false;
  const std::uint64_t codes = std::uint64_t{comparison.high} - comparison.low + 1;
  return codes * 20 >= std::uint64_t{attribute.distinct()} * 19;
}

enum class Place { matters, is_the_same };

// Eighth of the codes that the middle of an interval lies in.
std::uint64_t place_of(const Comparison& comparison, const Attribute& attribute) noexcept {
  return (std::uint64_t{comparison.low} + comparison.high) * 4 / attribute.distinct();
}

std::uint64_t mix(std::uint64_t state, const Comparison& comparison, const Attribute& attribute,
                  Place place) noexcept {
  state = mix(state, comparison.attribute);
  const bool by_place = has_numbers(attribute.kind) && !attribute.as_labels;
  if (by_place && !asks_presence(comparison, attribute)) {
    return place == Place::matters ? mix(state, place_of(comparison, attribute)) : state;
  }
  state = mix(state, std::uint64_t{comparison.low} << 32 | comparison.high);
  return mix(state, comparison.negated ? 1 : 0);
}

std::uint64_t mix(std::uint64_t state, const Expression& side,
                  std::span<const Attribute> attributes) noexcept {
  const bool conjunction = side.is_conjunction();
  state = mix(state, conjunction ? 0 : 1);
  if (!conjunction) {
    for (const Op op : side.program()) state = mix(state, static_cast<std::uint64_t>(op));
  }
  for (const Comparison& c : side.comparisons()) {
    const Attribute& attribute = attributes[c.attribute];
    if (!conjunction || !vacuous(c, attribute)) state = mix(state, c, attribute, Place::matters);
  }
  return state;
}

/// Different for the three parts of a niche. Never 0, which is the key of a slot without a value.
std::array<std::uint64_t, 3> keys(const Niche& niche) noexcept {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
  const auto key = [](std::uint64_t part, std::uint64_t number) {
    const std::uint64_t mixed = (part + number * 0xBF58476D1CE4E5B9U) * odd;
    return (mixed ^ mixed >> 31) | 1U;
  };
  return {key(niche.consequent, 1), key(niche.bucket, 2), key(niche.structure, 3)};
}

// Less: the first comes before the second. Equal: they are the same rule.
std::weak_ordering order(double value, const Rule& rule, double other_value, const Rule& other) {
  if (const auto c = by_measure(value, other_value); c != 0) return c;
  if (const auto c = rule.comparisons() <=> other.comparisons(); c != 0) return c;
  return rule <=> other;
}

}  // namespace

Niche niche(const Rule& rule, std::uint32_t bucket,
            std::span<const Attribute> attributes) noexcept {
  Niche niche;
  const bool conjunction = rule.consequent.is_conjunction();
  for (const Comparison& c : rule.consequent.comparisons()) {
    if (!conjunction || !vacuous(c, attributes[c.attribute])) {
      niche.consequent = mix(niche.consequent, c, attributes[c.attribute], Place::is_the_same);
    }
  }
  niche.bucket = mix(niche.consequent, bucket);
  niche.structure =
      mix(mix(niche.bucket, rule.antecedent, attributes), rule.consequent, attributes);
  return niche;
}

bool ArchiveBars::refuse(double value, const Niche& niche) const noexcept {
  for (const std::uint64_t key : keys(niche)) {
    const Slot& slot = slots_[key >> (64 - log2_slots)];
    const std::uint64_t bits = slot.value.load(std::memory_order_relaxed);
    if ((slot.check.load(std::memory_order_relaxed) ^ bits) != key) continue;
    if (by_measure(value, std::bit_cast<double>(bits)) > 0) return true;
  }
  return false;
}

void ArchiveBars::raise(const Niche& niche, const Archive::Bars& bars) noexcept {
  const auto its = keys(niche);
  for (std::size_t i = 0; i < its.size(); ++i) {
    if (!bars[i]) continue;
    Slot& slot = slots_[its[i] >> (64 - log2_slots)];
    const auto bits = std::bit_cast<std::uint64_t>(*bars[i]);
    slot.value.store(bits, std::memory_order_relaxed);
    slot.check.store(its[i] ^ bits, std::memory_order_relaxed);
  }
}

/// Counts, of the entries seen so far, those of a structure and those of its bucket.
struct Archive::Tally {
  using Place = std::vector<Entry>::iterator;

  void add(Place begin, Place end, const Niche& niche) {
    for (; begin != end; ++begin) {
      if (begin->bucket != niche.bucket) continue;
      ++near;
      last_near = begin;
      if (begin->structure != niche.structure) continue;
      ++same;
      last_same = begin;
    }
  }

  std::size_t same = 0, near = 0;
  Place last_same = {}, last_near = {};
};

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
  Tally tally;
  tally.add(entries.begin(), place, niche);
  if (tally.same >= per_structure || tally.near >= per_bucket_) return false;
  tally.add(place, entries.end(), niche);

  // The narrowest of the quotas that are used up decides which rule makes room: one behind.
  auto last = entries.end();
  if (tally.same >= per_structure) {
    last = tally.last_same;
  } else if (tally.near >= per_bucket_) {
    last = tally.last_near;
  } else if (entries.size() == capacity_) {
    last = std::prev(last);
  }
  if (last == entries.end()) {
    const auto at = static_cast<std::uint32_t>(records_.size());
    records_.push_back(record);
    entries.insert(place, {value, niche.bucket, niche.structure, at});
  } else {
    const std::uint32_t at = last->record;
    records_[at] = record;
    std::move_backward(place, last, std::next(last));
    *place = {value, niche.bucket, niche.structure, at};
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

void Archive::for_each(
    const std::function<void(const Niche&, double, const RuleRecord&)>& visit) const {
  for (const auto& [consequent, entries] : consequents_) {
    for (const Entry& entry : entries) {
      visit({consequent, entry.bucket, entry.structure}, entry.value, records_[entry.record]);
    }
  }
}

std::vector<RuleRecord> Archive::rules() const {
  std::vector<const Entry*> sorted;
  sorted.reserve(size());
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
