#include "islands/rule_sets/list_breeder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace atl {

namespace {

/// Rules grown for each place of a list that is made by covering.
constexpr int grown_for_cover = 12;
/// A child may have so many rules too many before it is shortened.
constexpr std::size_t most_too_many = 3;

std::ptrdiff_t at(std::size_t index) noexcept {
  return static_cast<std::ptrdiff_t>(index);
}

}  // namespace

ListBreeder::ListBreeder(const ClassSample& sample, std::vector<double> weights,
                         const GrowthSettings& settings, std::size_t most_rules)
    : sample_(sample),
      weights_(weights),
      most_rules_(most_rules),
      most_comparisons_(settings.most_comparisons),
      grower_(sample, std::move(weights), settings),
      left_(sample.words()) {
  for (std::uint32_t c = 0; c < weights_.size(); ++c) weights_[c] *= sample.scale(c);
}

const SampleWindow& ListBreeder::draw_window(RandomStream& stream) const {
  const auto windows = sample_.windows();
  return windows.size() == 1 ? windows[0] : windows[stream.below(windows.size())];
}

SharedRule ListBreeder::rule_of(Expression antecedent, std::uint32_t label) const {
  return sampled({std::move(antecedent), label}, sample_);
}

std::vector<SampledList> ListBreeder::cover(const std::uint64_t* rows, RandomStream& stream) {
  std::vector<SampledList> lists(1);
  SampledList& empty = lists.front();
  double most = 0;
  for (std::uint32_t c = 0; c < weights_.size(); ++c) {
    double weight = 0;
    for (const SampleWindow& window : sample_.windows()) {
      for (std::size_t w = window.classes[c]; w < window.classes[c + 1]; ++w) {
        weight += weights_[c] * std::popcount(rows[w]);
      }
    }
    if (weight > most) empty.default_class = c;
    most = std::max(most, weight);
  }
  SampledList list = empty;
  while (list.rules.size() < most_rules_) {
    SharedRule best;
    double most_correct = correct(list.rules, list.rules.size(), list.default_class, rows);
    for (int i = 0; i < grown_for_cover; ++i) {
      grower_.look_at(list.rules, list.default_class, list.rules.size(), rows, draw_window(stream));
      const auto label = grower_.draw_label(stream);
      if (!label) break;
      auto antecedent = grower_.grow(*label, {}, stream);
      if (!antecedent) continue;
      Rules longer = list.rules;
      longer.push_back(rule_of(std::move(*antecedent), *label));
      const double its = correct(longer, longer.size(), list.default_class, rows);
      if (its <= most_correct) continue;
      most_correct = its;
      best = longer.back();
    }
    if (!best) break;
    list.rules.push_back(std::move(best));
    lists.push_back(list);
  }
  return lists;
}

std::optional<SampledList> ListBreeder::breed(const SizeNiches& population,
                                              const std::uint64_t* rows, RandomStream& stream) {
  const SampledList& parent = population.pick(stream);
  SampledList child;
  child.rules = parent.rules;
  child.default_class = parent.default_class;
  const double drawn = stream.next_double();
  bool made = false;
  if (drawn < 0.40) {
    made = refit(child, rows, stream);
  } else if (drawn < 0.65) {
    made = insert(child, rows, stream);
  } else if (drawn < 0.75) {
    made = erase(child, stream);
  } else if (drawn < 0.82) {
    made = move(child, stream);
  } else if (drawn < 0.92) {
    made = change_bound(child, stream);
  } else {
    made = cross(child, population.pick(stream), stream);
  }
  if (!made) return std::nullopt;
  shorten(child, rows);
  return child;
}

bool ListBreeder::refit(SampledList& child, const std::uint64_t* rows, RandomStream& stream) {
  if (child.rules.empty()) return false;
  const auto position = static_cast<std::size_t>(stream.below(child.rules.size()));
  const SharedRule replaced = child.rules[position];
  Rules others = child.rules;
  others.erase(others.begin() + at(position));
  grower_.look_at(others, child.default_class, position, rows, draw_window(stream));
  std::optional<std::uint32_t> label = replaced->rule.label;
  if (stream.chance(0.4)) label = grower_.draw_label(stream);
  if (!label) return false;
  std::vector<Comparison> kept;
  if (replaced->rule.antecedent.is_conjunction() && stream.chance(0.5)) {
    for (const Comparison& comparison : replaced->rule.antecedent.comparisons()) {
      if (stream.chance(0.6)) kept.push_back(comparison);
    }
  }
  auto antecedent = grower_.grow(*label, std::move(kept), stream);
  if (!antecedent) return false;
  child.rules[position] = rule_of(std::move(*antecedent), *label);
  return true;
}

bool ListBreeder::insert(SampledList& child, const std::uint64_t* rows, RandomStream& stream) {
  if (child.rules.size() >= most_rules_) return false;
  const auto position = static_cast<std::size_t>(stream.below(child.rules.size() + 1));
  grower_.look_at(child.rules, child.default_class, position, rows, draw_window(stream));
  const auto label = grower_.draw_label(stream);
  if (!label) return false;
  auto antecedent = grower_.grow(*label, {}, stream);
  if (!antecedent) return false;
  child.rules.insert(child.rules.begin() + at(position), rule_of(std::move(*antecedent), *label));
  return true;
}

bool ListBreeder::erase(SampledList& child, RandomStream& stream) {
  if (child.rules.empty()) return false;
  child.rules.erase(child.rules.begin() + at(stream.below(child.rules.size())));
  return true;
}

bool ListBreeder::move(SampledList& child, RandomStream& stream) {
  if (child.rules.size() < 2) return false;
  const auto from = child.rules.begin() + at(stream.below(child.rules.size()));
  SharedRule rule = *from;
  child.rules.erase(from);
  child.rules.insert(child.rules.begin() + at(stream.below(child.rules.size() + 1)),
                     std::move(rule));
  return true;
}

// Short steps as often as long ones.
bool ListBreeder::change_bound(SampledList& child, RandomStream& stream) {
  if (child.rules.empty()) return false;
  SharedRule& rule = child.rules[stream.below(child.rules.size())];
  const auto all = rule->rule.antecedent.comparisons();
  if (!rule->rule.antecedent.is_conjunction()) return false;
  std::vector<Comparison> conjunction(all.begin(), all.end());
  Comparison& changed = conjunction[stream.below(conjunction.size())];
  const Attribute& attribute = sample_.attributes()[changed.attribute];
  const std::uint32_t last = attribute.distinct() - 1;
  if (!attribute.ordered()) {
    changed.low = changed.high = static_cast<std::uint32_t>(stream.below(last + 1));
  } else {
    const double reach = static_cast<double>(last) * (stream.chance(0.5) ? 0.03 : 0.2);
    const auto step = 1 + static_cast<std::uint32_t>(stream.below(
                              std::max<std::uint64_t>(static_cast<std::uint64_t>(reach), 1)));
    const bool upward = stream.chance(0.5);
    const bool upper = changed.low == 0 || (changed.high < last && stream.chance(0.5));
    std::uint32_t& bound = upper ? changed.high : changed.low;
    if (upward ? bound + step > last : bound < step) return false;
    bound = upward ? bound + step : bound - step;
    if (changed.low > changed.high || (changed.low == 0 && changed.high == last)) return false;
  }
  rule = rule_of(canonical(Expression::conjunction(conjunction), sample_.attributes()),
                 rule->rule.label);
  return true;
}

// Within rules: a rule of this list gets some of its own comparisons and some of one of the other
// list that says the same class.
bool ListBreeder::cross_within(SampledList& child, const SampledList& other, RandomStream& stream) {
  if (child.rules.empty()) return false;
  SharedRule& rule = child.rules[stream.below(child.rules.size())];
  std::vector<const ClassRule*> mates;
  for (const SharedRule& its : other.rules) {
    if (its->rule.label == rule->rule.label && its->rule.antecedent.is_conjunction()) {
      mates.push_back(&its->rule);
    }
  }
  if (mates.empty() || !rule->rule.antecedent.is_conjunction()) return false;
  std::vector<Comparison> conjunction;
  for (const ClassRule* parent :
       {&rule->rule, mates[static_cast<std::size_t>(stream.below(mates.size()))]}) {
    for (const Comparison& comparison : parent->antecedent.comparisons()) {
      if (!stream.chance(0.5) || conjunction.size() == most_comparisons_) continue;
      if (!add(conjunction, comparison, sample_.attributes())) return false;
    }
  }
  if (conjunction.empty()) return false;
  std::sort(conjunction.begin(), conjunction.end());
  rule = rule_of(canonical(Expression::conjunction(conjunction), sample_.attributes()),
                 rule->rule.label);
  return true;
}

// At rule boundaries: the beginning of one list and the end of the other, or a rule of the other
// somewhere in this.
bool ListBreeder::cross(SampledList& child, const SampledList& other, RandomStream& stream) {
  if (other.rules.empty()) return false;
  if (stream.chance(0.25)) return cross_within(child, other, stream);
  if (stream.chance(0.5)) {
    const SharedRule rule = other.rules[stream.below(other.rules.size())];
    child.rules.insert(child.rules.begin() + at(stream.below(child.rules.size() + 1)), rule);
  } else {
    child.rules.resize(stream.below(child.rules.size() + 1));
    const auto from = other.rules.begin() + at(stream.below(other.rules.size() + 1));
    child.rules.insert(child.rules.end(), from, other.rules.end());
    child.default_class = other.default_class;
  }
  return child.rules.size() <= most_rules_ + most_too_many;
}

/// @param without  a rule that is passed over; rules.size(): none
double ListBreeder::correct(std::span<const SharedRule> rules, std::size_t without,
                            std::uint32_t default_class, const std::uint64_t* rows) {
  std::vector<std::uint64_t> right(weights_.size(), 0);
  std::copy_n(rows, left_.size(), left_.begin());
  const auto count = [&](std::uint32_t label, const std::uint64_t* cover) {
    for (const SampleWindow& window : sample_.windows()) {
      for (std::size_t w = window.classes[label]; w < window.classes[label + 1]; ++w) {
        right[label] += static_cast<std::uint64_t>(
            std::popcount(cover == nullptr ? left_[w] : left_[w] & cover[w]));
      }
    }
  };
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (i == without) continue;
    const auto& cover = rules[i]->cover;
    count(rules[i]->rule.label, cover.data());
    for (std::size_t w = 0; w < left_.size(); ++w) left_[w] &= ~cover[w];
  }
  count(default_class, nullptr);
  double sum = 0;
  for (std::size_t c = 0; c < right.size(); ++c) {
    sum += weights_[c] * static_cast<double>(right[c]);
  }
  return sum;
}

void ListBreeder::shorten(SampledList& child, const std::uint64_t* rows) {
  while (child.rules.size() > most_rules_) {
    std::size_t least = 0;
    double most = -1;
    for (std::size_t i = 0; i < child.rules.size(); ++i) {
      const double its = correct(child.rules, i, child.default_class, rows);
      if (its <= most) continue;
      most = its;
      least = i;
    }
    child.rules.erase(child.rules.begin() + at(least));
  }
}

}  // namespace atl
