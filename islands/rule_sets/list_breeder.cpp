#include "islands/rule_sets/list_breeder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace atl {
namespace {

/// A child may have so many rules too many before it is shortened.
constexpr std::size_t most_too_many = 3;

using Conjunctions = std::vector<std::vector<Comparison>>;

std::ptrdiff_t at(std::size_t index) noexcept {
  return static_cast<std::ptrdiff_t>(index);
}

/// The conjunctions of a rule; none if it has another shape.
Conjunctions conjunctions_of(const SampledRule& rule) {
  Conjunctions all;
  for (const auto its : alternatives(rule.rule().antecedent))
    all.emplace_back(its.begin(), its.end());
  return all;
}

/// Draws only where there are several.
std::size_t one_of(const Conjunctions& all, RandomStream& stream) {
  return all.size() == 1 ? 0 : stream.below(all.size());
}

}  // namespace

std::vector<double> sample_weights(const ClassSample& sample, std::vector<double> weights) {
  for (std::uint32_t c = 0; c < weights.size(); ++c) weights[c] *= sample.scale(c);
  return weights;
}

ListBreeder::ListBreeder(const ClassSample& sample, const GrowthSettings& settings,
                         std::size_t most_rules, std::size_t most_alternatives, ListGoal goal)
    : sample_(sample),
      settings_(settings),
      most_rules_(most_rules),
      most_alternatives_(most_alternatives),
      goal_(goal),
      weights_(sample_weights(sample, settings.weights)) {}

SharedRule ListBreeder::rule_of(const Conjunctions& conjunctions, std::uint32_t label) const {
  Expression antecedent = grown_antecedent(conjunctions.front(), sample_.attributes());
  if (conjunctions.size() > 1) {
    for (std::size_t i = 1; i < conjunctions.size(); ++i) {
      antecedent = either(antecedent, grown_antecedent(conjunctions[i], sample_.attributes()));
    }
    antecedent = canonical(antecedent, sample_.attributes());
  }
  return sampled({std::move(antecedent), label}, sample_);
}

std::optional<Draft> ListBreeder::draft(const SizeNiches& population, const Part& part,
                                        RandomStream& stream, std::vector<GrowthTask>& tasks) {
  const SampledList& parent = population.pick(stream);
  Draft child;
  child.list.rules = parent.rules;
  child.list.default_class = parent.default_class;
  const bool widens = most_alternatives_ > 1 && stream.chance(0.25);
  const double drawn = widens ? 0 : stream.next_double();
  if (drawn < 0.65) {
    GrowthTask task;
    task.without = part.without;
    task.price = part.price;
    task.default_class = parent.default_class;
    const bool asks = widens         ? widen(child, task, stream)
                      : drawn < 0.40 ? refit(child, task, stream)
                                     : insert(child, stream);
    if (!asks) return std::nullopt;
    draw(task, sample_, settings_, stream);
    if (goal_ == ListGoal::probabilities && stream.chance(0.5)) task.counted = CountedRows::all;
    const std::span<const SharedRule> rules = child.list.rules;
    task.before = rules.first(child.position + (child.widens ? 1 : 0));
    task.behind = rules.subspan(child.position + (child.replaces || child.widens ? 1 : 0));
    child.task = tasks.size();
    tasks.push_back(std::move(task));
    return child;
  }
  bool made = false;
  if (drawn < 0.75) {
    made = erase(child.list, stream);
  } else if (drawn < 0.82) {
    made = move(child.list, stream);
  } else if (drawn < 0.92) {
    made = change_bound(child.list, stream);
  } else {
    made = cross(child.list, population.pick(stream), stream);
  }
  if (!made) return std::nullopt;
  return child;
}

bool ListBreeder::finish(Draft& draft, const Part& part, std::optional<Grown>& grown) {
  if (draft.task) {
    if (!grown) return false;
    Rules& rules = draft.list.rules;
    Expression antecedent = std::move(grown->antecedent);
    if (draft.widens) {
      antecedent = canonical(either(rules[draft.position]->rule().antecedent, antecedent),
                             sample_.attributes());
    }
    SharedRule rule = sampled({std::move(antecedent), grown->label}, sample_);
    if (draft.replaces || draft.widens) {
      rules[draft.position] = std::move(rule);
    } else {
      rules.insert(rules.begin() + at(draft.position), std::move(rule));
    }
  }
  shorten(draft.list, rows_of_part(sample_, part));
  return true;
}

// A rule gets one more alternative, as if another rule that says its class came behind it. It may
// lose one before, and has to where it may have no more.
bool ListBreeder::widen(Draft& child, GrowthTask& task, RandomStream& stream) {
  Rules& rules = child.list.rules;
  if (rules.empty()) return false;
  child.position = static_cast<std::size_t>(stream.below(rules.size()));
  child.widens = true;
  SharedRule& rule = rules[child.position];
  Conjunctions all = conjunctions_of(*rule);
  if (all.empty()) return false;
  task.label = rule->rule().label;
  if (all.size() == 1 || (all.size() < most_alternatives_ && stream.chance(0.5))) return true;
  all.erase(all.begin() + at(one_of(all, stream)));
  rule = rule_of(all, *task.label);
  return true;
}

bool ListBreeder::refit(Draft& child, GrowthTask& task, RandomStream& stream) {
  const Rules& rules = child.list.rules;
  if (rules.empty()) return false;
  child.position = static_cast<std::size_t>(stream.below(rules.size()));
  child.replaces = true;
  const ClassRule& replaced = rules[child.position]->rule();
  if (!stream.chance(0.4)) task.label = replaced.label;
  if (!replaced.antecedent.is_conjunction() || !stream.chance(0.5)) return true;
  for (const Comparison& comparison : replaced.antecedent.comparisons()) {
    if (!stream.chance(0.6)) continue;
    task.start.push_back(as_grown(comparison, sample_.attributes()[comparison.attribute]));
  }
  return true;
}

bool ListBreeder::insert(Draft& child, RandomStream& stream) {
  if (child.list.rules.size() >= most_rules_) return false;
  child.position = static_cast<std::size_t>(stream.below(child.list.rules.size() + 1));
  return true;
}

bool ListBreeder::erase(SampledList& child, RandomStream& stream) {
  if (child.rules.empty()) return false;
  const std::size_t position = stream.below(child.rules.size());
  SharedRule& rule = child.rules[position];
  Conjunctions all = conjunctions_of(*rule);
  if (all.size() > 1 && stream.chance(0.5)) {
    all.erase(all.begin() + at(one_of(all, stream)));
    rule = rule_of(all, rule->rule().label);
    return true;
  }
  child.rules.erase(child.rules.begin() + at(position));
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
  Conjunctions all = conjunctions_of(*rule);
  if (all.empty()) return false;
  std::vector<Comparison>& conjunction = all[one_of(all, stream)];
  Comparison& changed = conjunction[stream.below(conjunction.size())];
  const Attribute& attribute = sample_.attributes()[changed.attribute];
  const std::uint32_t last = attribute.distinct() - 1;
  if (asks_missing(changed)) return false;
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
  rule = rule_of(all, rule->rule().label);
  return true;
}

// Crosses within rules: a conjunction of this list gets some of its own comparisons and some of one
// of the other list that says the same class.
bool ListBreeder::cross_within(SampledList& child, const SampledList& other, RandomStream& stream) {
  if (child.rules.empty()) return false;
  SharedRule& rule = child.rules[stream.below(child.rules.size())];
  std::vector<const SampledRule*> mates;
  for (const SharedRule& its : other.rules) {
    if (its->rule().label == rule->rule().label && its->alternatives() > 0) {
      mates.push_back(its.get());
    }
  }
  Conjunctions all = conjunctions_of(*rule);
  if (mates.empty() || all.empty()) return false;
  const SampledRule& mate = *mates[static_cast<std::size_t>(stream.below(mates.size()))];
  std::vector<Comparison>& own = all[one_of(all, stream)];
  const Conjunctions of_mate = conjunctions_of(mate);
  const std::vector<Comparison>& others = of_mate[one_of(of_mate, stream)];
  std::vector<Comparison> conjunction;
  for (const std::vector<Comparison>* parent : {&std::as_const(own), &others}) {
    for (const Comparison& comparison : *parent) {
      if (!stream.chance(0.5) || conjunction.size() == settings_.most_comparisons) continue;
      const Attribute& attribute = sample_.attributes()[comparison.attribute];
      if (!add(conjunction, as_grown(comparison, attribute), sample_.attributes())) return false;
    }
  }
  if (conjunction.empty()) return false;
  own = std::move(conjunction);
  rule = rule_of(all, rule->rule().label);
  return true;
}

// Crosses at rule boundaries: the beginning of one list and the end of the other, or a rule of the
// other somewhere in this.
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

// Drops the rules that are missed least; of two that are missed as little the first one goes.
void ListBreeder::shorten(SampledList& child, const std::uint64_t* rows) {
  while (child.rules.size() > most_rules_) {
    const std::vector<std::uint64_t> right = right_without(child, rows);
    std::size_t least = 0;
    double most = -1;
    for (std::size_t i = 0; i < child.rules.size(); ++i) {
      double its = 0;
      for (std::size_t c = 0; c < weights_.size(); ++c) {
        its += weights_[c] * static_cast<double>(right[i * weights_.size() + c]);
      }
      if (its <= most) continue;
      most = its;
      least = i;
    }
    child.rules.erase(child.rules.begin() + at(least));
  }
}

namespace {

/// A list as it is asked about words of rows.
struct AskedList {
  explicit AskedList(const SampledList& list) : default_class(list.default_class) {
    for (const SharedRule& rule : list.rules) {
      covers.push_back(rule->cover());
      labels.push_back(rule->rule().label);
    }
  }

  /// Number of rows of a class that the rules from this one on classify right.
  int right_from(std::size_t rule, std::uint64_t rows, std::size_t word,
                 std::uint32_t label) const {
    int right = 0;
    for (; rule < covers.size() && rows != 0; ++rule) {
      const std::uint64_t decided = rows & covers[rule][word];
      if (labels[rule] == label) right += std::popcount(decided);
      rows ^= decided;
    }
    return default_class == label ? right + std::popcount(rows) : right;
  }
  /// Adds to how many more of the rows of a class are classified right without each rule than with
  /// it.
  /// @param more  [rules], of which each is `stride` behind the one before
  void count_without(std::uint64_t rows, std::size_t word, std::uint32_t label, std::int64_t* more,
                     std::size_t stride) const {
    for (std::size_t i = 0; i < covers.size() && rows != 0; ++i) {
      const std::uint64_t decided = rows & covers[i][word];
      rows ^= decided;
      if (decided == 0) continue;
      more[i * stride] += right_from(i + 1, decided, word, label);
      if (labels[i] == label) more[i * stride] -= std::popcount(decided);
    }
  }

  std::vector<const std::uint64_t*> covers;
  std::vector<std::uint32_t> labels;
  std::uint32_t default_class;
};

}  // namespace

std::vector<std::uint64_t> ListBreeder::right_without(const SampledList& list,
                                                      const std::uint64_t* rows) const {
  const AskedList asked(list);
  const std::size_t classes = weights_.size();
  std::vector<std::int64_t> right(classes, 0), more(list.rules.size() * classes, 0);
  for (const SampleWindow& window : sample_.windows()) {
    for (std::uint32_t c = 0; c < classes; ++c) {
      for (std::size_t w = window.classes[c]; w < window.classes[c + 1]; ++w) {
        right[c] += asked.right_from(0, rows[w], w, c);
        asked.count_without(rows[w], w, c, more.data() + c, classes);
      }
    }
  }
  std::vector<std::uint64_t> without(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) {
    without[i] = static_cast<std::uint64_t>(right[i % classes] + more[i]);
  }
  return without;
}

}  // namespace atl
