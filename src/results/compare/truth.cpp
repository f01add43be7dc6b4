#include "src/results/compare/truth.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "src/eval/counting_options.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/results/choice/unlike_rules.hpp"
#include "src/results/refinement/climber.hpp"

namespace atl {
namespace {

constexpr std::array<std::string_view, 8> names_of_fates = {
    "found", "equivalent", "out_of_run", "redundant", "idle", "alike", "off_list", "missed"};
constexpr std::size_t most_parts = 10;  // of an antecedent, all of whose subsets are counted

using Coverages = std::array<std::uint64_t, 2>;

bool is_better_or_equal(double a, double b) {
  return by_measure(a, b) <= 0;
}

Coverages reversed(const Coverages& sides) {
  return {sides[1], sides[0]};
}

/// The rule with only those comparisons of the antecedent that `keeps` says.
template <typename Keeps>
Rule narrowed(const Rule& rule, const Keeps& keeps) {
  std::vector<Comparison> kept;
  const auto parts = rule.antecedent.comparisons();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (keeps(i)) kept.push_back(parts[i]);
  }
  return {Expression::conjunction(kept), rule.consequent};
}

/// Each without one comparison of the antecedent. @pre it has two or more
std::vector<Rule> without_one(const Rule& rule) {
  std::vector<Rule> rules;
  for (std::size_t out = 0; out < rule.antecedent.comparisons().size(); ++out) {
    rules.push_back(narrowed(rule, [out](std::size_t i) { return i != out; }));
  }
  return rules;
}

/// The rules with fewer comparisons in the antecedent: each subset, or of long ones those that lack
/// one. @pre it has two or more
std::vector<Rule> more_general(const Rule& rule) {
  const std::size_t parts = rule.antecedent.comparisons().size();
  if (parts > most_parts) return without_one(rule);
  std::vector<Rule> rules;
  for (unsigned chosen = 1; chosen + 1 < 1U << parts; ++chosen) {
    rules.push_back(narrowed(rule, [chosen](std::size_t i) { return (chosen >> i & 1U) != 0; }));
  }
  return rules;
}

class Judge {
 public:
  Judge(const RunJudged& run, Resident& resident)
      : run_(run),
        resident_(resident),
        attributes_(resident.dataset().attributes()),
        options_(counting_options(run.experiment, attributes_)),
        idle_parts_(constraints_of(run.experiment, attributes_), run.measure, Measure::confidence),
        shapes_(resident.dataset(), run.definitions.dependences()),
        rules_(shapes_, run.experiment.max_similarity),
        definitions_(shapes_, run.experiment.max_similarity) {
    options_.coverage_hashes = true;
    std::vector<Rule> written;
    for (const RuleRecord& record : run.written) written.push_back(record.rule);
    coverage_of_written_ = coverages(written);
    for (std::size_t i = 0; i < written.size(); ++i) take_written(i);
  }

  std::vector<TrueRule> judge(std::span<const RuleRecord> rules) {
    std::vector<TrueRule> judged = in_order(rules);
    std::vector<Rule> texts;
    for (const TrueRule& rule : judged) texts.push_back(rule.rule);
    coverage_ = coverages(texts);
    find_repetitions(judged);
    for (std::size_t i = 0; i < judged.size(); ++i) decide(judged[i], i);
    std::size_t place = 0;
    for (TrueRule& rule : judged) {
      if (rule.fate != Fate::redundant) rule.place = ++place;
    }
    return judged;
  }

 private:
  double value(const RuleRecord& record) const { return evaluate(run_.measure, record.table); }
  bool is_apart(const Rule& rule) const { return run_.definitions.keeps_apart(rule, attributes_); }

  std::vector<Coverages> coverages(std::span<const Rule> rules) {
    std::vector<Coverages> found;
    for (const RuleStatistics& counts : resident_.count(rules, options_)) {
      found.push_back(counts.coverage_hash);
    }
    return found;
  }

  void take_written(std::size_t i) {
    const RuleRecord& record = run_.written[i];
    by_rule_.emplace(record.rule, i);
    by_coverage_.emplace(coverage_of_written_[i], i);
    by_coverage_.emplace(reversed(coverage_of_written_[i]), i);
    if (run_.experiment.max_similarity < 1) {
      const bool apart = is_apart(record.rule);
      (apart ? definitions_ : rules_).put(record);
      (apart ? place_of_definition_ : place_of_rule_).push_back(i);
    }
    if (record.kind == RuleKind::rule) {
      ++on_list_;
      last_ = std::min(last_, value(record));
    }
  }

  std::vector<TrueRule> in_order(std::span<const RuleRecord> rules) const {
    std::vector<TrueRule> ordered;
    for (const RuleRecord& record : rules) {
      TrueRule rule;
      rule.rule = record.rule;
      rule.table = record.table;
      rule.value = value(record);
      ordered.push_back(std::move(rule));
    }
    std::ranges::sort(ordered, [](const TrueRule& a, const TrueRule& b) {
      const auto c = by_measure(a.value, b.value);
      return c != 0 ? c < 0 : a.rule < b.rule;
    });
    return ordered;
  }

  /// Rules that cover the rows of one before, in either direction.
  void find_repetitions(std::span<const TrueRule> rules) {
    std::map<Coverages, std::size_t> first;
    repeats_.assign(rules.size(), false);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      repeats_[i] = !first.emplace(coverage_[i], i).second;
      first.emplace(reversed(coverage_[i]), i);
    }
  }

  void decide(TrueRule& rule, std::size_t i) {
    rule.limit = run_.reach.limit(rule.rule, rule.table);
    if (repeats_[i]) {
      set(rule, Fate::redundant, by_rule(rule));
    } else if (const auto same = by_rule(rule)) {
      set(rule, Fate::found, same);
    } else if (const auto equal = by_coverage(rule, i)) {
      set(rule, Fate::equivalent, equal);
    } else if (!rule.limit.empty()) {
      set(rule, Fate::out_of_run, std::nullopt);
    } else if (is_superfluous(rule)) {
      set(rule, Fate::redundant, std::nullopt);
    } else if (has_idle_part(rule)) {
      set(rule, Fate::idle, std::nullopt);
    } else if (const auto like = alike(rule)) {
      set(rule, Fate::alike, like);
    } else {
      decide_missed(rule);
    }
  }

  static void set(TrueRule& rule, Fate fate, std::optional<std::size_t> written) {
    rule.fate = fate;
    rule.written = written;
  }

  std::optional<std::size_t> by_rule(const TrueRule& rule) const {
    const auto found = by_rule_.find(rule.rule);
    if (found == by_rule_.end()) return std::nullopt;
    return found->second;
  }

  std::optional<std::size_t> by_coverage(const TrueRule& rule, std::size_t i) const {
    const auto found = by_coverage_.find(coverage_[i]);
    if (found == by_coverage_.end()) return std::nullopt;
    if (!is_better_or_equal(value(run_.written[found->second]), rule.value)) return std::nullopt;
    return found->second;
  }

  bool is_superfluous(const TrueRule& rule) {
    if (rule.rule.antecedent.comparisons().size() < 2) return false;
    const std::vector<Rule> general = more_general(rule.rule);
    const std::vector<RuleStatistics> counts = count(general);
    for (std::size_t i = 0; i < general.size(); ++i) {
      const auto keeps = [&](Measure measure) {
        return is_better_or_equal(evaluate(measure, counts[i].table),
                                  evaluate(measure, rule.table));
      };
      if (keeps(Measure::confidence) && keeps(Measure::leverage) &&
          run_.reach.limit(general[i], counts[i].table).empty()) {
        return true;
      }
    }
    return false;
  }

  bool has_idle_part(const TrueRule& rule) {
    if (run_.experiment.bounds == Bounds::binned) return false;
    if (rule.rule.antecedent.comparisons().size() < 2) return false;
    std::vector<Rule> rules = without_one(rule.rule);
    rules.push_back(rule.rule);
    return idle_parts_.most_idle(count(rules)).has_value();
  }

  std::vector<RuleStatistics> count(std::span<const Rule> rules) {
    CountingOptions options = options_;
    options.coverage_hashes = false;
    return resident_.count(rules, options);
  }

  std::optional<std::size_t> alike(const TrueRule& rule) {
    if (run_.experiment.max_similarity >= 1) return std::nullopt;
    const bool apart = is_apart(rule.rule);
    RuleRecord record;
    record.rule = rule.rule;
    record.table = rule.table;
    for (const std::size_t like : (apart ? definitions_ : rules_).like(record)) {
      const std::size_t i = (apart ? place_of_definition_ : place_of_rule_)[like];
      if (is_better_or_equal(value(run_.written[i]), rule.value)) return i;
    }
    return std::nullopt;
  }

  void decide_missed(TrueRule& rule) {
    find_nearest(rule);
    const bool full = on_list_ >= run_.experiment.top;
    const bool worse = !is_apart(rule.rule) && !is_better_or_equal(rule.value, last_);
    rule.fate = full && worse ? Fate::off_list : Fate::missed;
  }

  bool is_more_general(const Rule& general, const Rule& special) const {
    return general.consequent == special.consequent && general.antecedent.is_conjunction() &&
           generalises(general.antecedent, special.antecedent, attributes_);
  }

  /// The best that is more general; else the most similar.
  void find_nearest(TrueRule& rule) {
    double best = 0;
    for (std::size_t i = 0; i < run_.written.size(); ++i) {
      if (!is_more_general(run_.written[i].rule, rule.rule)) continue;
      const double own = value(run_.written[i]);
      if (rule.written && !(by_measure(own, best) < 0)) continue;
      rule.written = i;
      rule.more_general = true;
      best = own;
    }
    if (rule.written) return;
    const Coverage& own = shapes_.of(rule.rule).coverage;
    for (std::size_t i = 0; i < run_.written.size(); ++i) {
      const double similar = similarity(own, shapes_.of(run_.written[i].rule).coverage, best);
      if (similar <= best) continue;
      rule.written = i;
      best = similar;
    }
  }

  const RunJudged& run_;
  Resident& resident_;
  std::span<const Attribute> attributes_;
  CountingOptions options_;
  IdleParts idle_parts_;
  RuleShapes shapes_;
  UnlikeRules rules_, definitions_;
  std::vector<std::size_t> place_of_rule_, place_of_definition_;  // of the selections' records
  std::vector<Coverages> coverage_of_written_, coverage_;
  std::map<Rule, std::size_t> by_rule_;
  std::map<Coverages, std::size_t> by_coverage_;
  std::vector<bool> repeats_;
  std::size_t on_list_ = 0;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::string_view to_string(Fate fate) noexcept {
  return names_of_fates[static_cast<std::size_t>(fate)];
}

std::vector<TrueRule> judge_true_rules(std::span<const RuleRecord> rules, const RunJudged& run,
                                       Resident& resident) {
  return Judge(run, resident).judge(rules);
}

double Recall::share() const {
  const auto all = static_cast<double>(found() + missed());
  return all == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(found()) / all;
}

double Recall::share_of_value() const {
  const double all = value_found + value_missed;
  return all == 0 ? std::numeric_limits<double>::quiet_NaN() : value_found / all;
}

Recall recall_of(std::span<const TrueRule> rules, std::size_t places) {
  Recall recall;
  recall.fates.assign(names_of_fates.size(), 0);
  for (const TrueRule& rule : rules) {
    if (rule.place == 0 || rule.place > places) continue;
    ++recall.rules;
    ++recall.fates[static_cast<std::size_t>(rule.fate)];
    const bool found = rule.fate == Fate::found || rule.fate == Fate::equivalent;
    if (found) recall.value_found += rule.value;
    if (rule.fate == Fate::missed) recall.value_missed += rule.value;
  }
  return recall;
}

}  // namespace atl
