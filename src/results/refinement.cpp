#include "src/results/refinement.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "src/core/error.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/climber.hpp"
#include "src/results/generalisation_counts.hpp"
#include "src/results/steering.hpp"
#include "src/rules/productivity.hpp"

namespace atl {

namespace {

constexpr std::size_t most_rounds = 8;  // of climbing
constexpr std::size_t most_passes = 4;  // of climbing and looking at neighbours
constexpr std::size_t most_added = 3;   // neighbours of a rule
constexpr double idle_share = 0.99;     // of the measure, that a rule has without an idle part
constexpr double idle_log_p = -2.995732273553991;  // ln 0.05, that a part does nothing

Expression in_exact_codes(const Expression& side, std::span<const Attribute> binned,
                          std::span<const Attribute> exact) {
  std::vector<Comparison> comparisons(side.comparisons().begin(), side.comparisons().end());
  for (Comparison& c : comparisons) {
    if (!binned[c.attribute].binned()) continue;
    const auto& values = exact[c.attribute].low;
    const auto first =
        std::lower_bound(values.begin(), values.end(), binned[c.attribute].low[c.low]);
    const auto end =
        std::upper_bound(values.begin(), values.end(), binned[c.attribute].high[c.high]);
    if (first >= end) throw InternalError("a bin without a value");
    c.low = static_cast<std::uint32_t>(first - values.begin());
    c.high = static_cast<std::uint32_t>(end - values.begin()) - 1;
  }
  return {std::vector<Op>(side.program().begin(), side.program().end()), std::move(comparisons)};
}

std::vector<std::size_t> indices(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// What makes a part of an antecedent idle: that the rule is nearly as good and as pure without it,
/// or that it is no purer with it than by chance.
enum class Idle { nearly_or_by_chance, by_chance };

/// Moves the rules of records, counts what it meets and keeps what is better.
class Refiner {
 public:
  Refiner(std::vector<RuleRecord>& records, const Experiment& experiment,
          const IslandGrammars& grammars, Resident& exact, ThreadPool& pool, const BinEdges& edges)
      : records_(records),
        given_(records.size()),
        attributes_(exact.dataset().attributes()),
        constraints_(constraints_of(experiment, attributes_)),
        measure_(steering_measure(experiment.archive_by, experiment)),
        options_(counting_options(experiment, attributes_)),
        resident_(exact),
        pool_(pool),
        improved_(records.size(), false) {
    for (const auto& [island, grammar] : grammars.by_first_island()) {
      climbers_.try_emplace(island, experiment, *grammar, exact.dataset(), edges);
    }
    for (unsigned worker = 0; worker < pool.threads(); ++worker)
      fitters_.push_back(exact.interval_fitter(Climber::rows_to_fit));
    std::vector<Rule> rules;
    for (const RuleRecord& record : records_) rules.push_back(record.rule);
    const std::vector<RuleStatistics> counts = count_all(rules);
    for (std::size_t i = 0; i < records_.size(); ++i) records_[i].table = counts[i].table;
  }

  /// All comparisons of these records, round after round until nothing moves.
  void climb(std::vector<std::size_t> of) {
    std::vector<Rule> rules;
    std::vector<RuleStatistics> counts(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) {
      rules.push_back(records_[of[i]].rule);
      counts[i].table = records_[of[i]].table;
    }
    for (std::size_t round = 0; round < most_rounds && !rules.empty(); ++round) {
      std::vector<std::uint8_t> moved(rules.size());
      pool_.wait(pool_.submit(rules.size(), [&](std::size_t i, unsigned worker) {
        moved[i] = climber_of(of[i]).round(rules[i], counts[i].table, *fitters_[worker]) ? 1 : 0;
      }));
      std::size_t kept = 0;
      for (std::size_t i = 0; i < rules.size(); ++i) {
        if (moved[i] == 0) continue;
        if (kept != i) rules[kept] = std::move(rules[i]);
        of[kept++] = of[i];
      }
      rules.resize(kept);
      of.resize(kept);
      counts = count_all(rules);
      for (std::size_t i = 0; i < rules.size(); ++i) {
        if (take_if_better(records_[of[i]], rules[i], counts[i])) improved_[of[i]] = true;
      }
    }
  }

  /// Leaves out idle parts of antecedents, the one of the greatest p first, until none is idle.
  /// Contrast needs no such care: where a part is idle, it is 0.
  /// @return those of these records that are shorter now
  std::vector<std::size_t> prune(std::vector<std::size_t> left, Idle idle_is) {
    if (measure_ == Measure::contrast) return {};
    std::set<std::size_t> all_pruned;
    while (!left.empty()) {
      std::vector<std::vector<Rule>> shorter;
      std::vector<Rule> rules;
      for (const std::size_t i : left) {
        shorter.push_back(climber_of(i).shortened(records_[i].rule));
        rules.insert(rules.end(), shorter.back().begin(), shorter.back().end());
        rules.push_back(records_[i].rule);
      }
      CountingOptions options = options_;
      if (options.mean) options.mean->deviations = true;
      const std::vector<RuleStatistics> counts = resident_.count(rules, options);
      evaluated_ += rules.size();
      std::vector<std::size_t> pruned;
      std::size_t next = 0;
      for (std::size_t k = 0; k < left.size(); ++k) {
        const auto here = std::span(counts).subspan(next, shorter[k].size() + 1);
        next += here.size();
        const auto idle = most_idle(here, idle_is);
        if (!idle) continue;
        RuleRecord& record = records_[left[k]];
        replace(record, shorter[k][*idle], here[*idle]);
        record.table.target.deviation = -1;  // as the others have it
        improved_[left[k]] = true;
        pruned.push_back(left[k]);
      }
      left = std::move(pruned);
      all_pruned.insert(left.begin(), left.end());
    }
    return {all_pruned.begin(), all_pruned.end()};
  }

  /// Looks at the neighbours of these records; the best that are better than their record join the
  /// records. Contrast alone is asked: it is low where a comparison parts nothing, while other
  /// measures gain from rows left out by chance.
  /// @return the new records
  std::vector<std::size_t> add_neighbours(std::span<const std::size_t> of) {
    const std::size_t before = records_.size();
    if (measure_ != Measure::contrast) return {};
    const std::vector<std::uint32_t> others = attributes_named();
    std::vector<std::vector<Rule>> near(of.size());
    pool_.wait(pool_.submit(of.size(), [&](std::size_t i, unsigned worker) {
      near[i] = climber_of(of[i]).neighbours(records_[of[i]].rule, others, *fitters_[worker]);
    }));
    std::vector<Rule> rules;
    for (const auto& some : near) rules.insert(rules.end(), some.begin(), some.end());
    const std::vector<RuleStatistics> counts = count_all(rules);
    std::size_t next = 0;
    for (std::size_t i = 0; i < of.size(); ++i) {
      std::vector<RuleRecord> better;
      for (const Rule& rule : near[i]) {
        RuleRecord record = records_[of[i]];
        if (take_if_better(record, rule, counts[next++])) better.push_back(std::move(record));
      }
      std::stable_sort(better.begin(), better.end(), [&](const RuleRecord& a, const RuleRecord& b) {
        return by_measure(evaluate(measure_, a.table), evaluate(measure_, b.table)) < 0;
      });
      std::size_t added = 0;
      for (RuleRecord& record : better) {
        if (added == most_added) break;
        if (is_known(record.rule)) continue;
        records_.push_back(std::move(record));
        ++added;
      }
    }
    std::vector<std::size_t> added(records_.size() - before);
    std::iota(added.begin(), added.end(), before);
    improved_.resize(records_.size(), false);
    return added;
  }

  /// Position of the first of the greatest measure; past the last if there are none.
  std::size_t best() const {
    const auto value = [&](const RuleRecord& r) { return evaluate(measure_, r.table); };
    const auto best = std::min_element(records_.begin(), records_.end(),
                                       [&](const RuleRecord& a, const RuleRecord& b) {
                                         return by_measure(value(a), value(b)) < 0;
                                       });
    return static_cast<std::size_t>(best - records_.begin());
  }

  RefinementSummary summary() const {
    const auto given = improved_.begin() + static_cast<std::ptrdiff_t>(given_);
    const auto improved = std::count(improved_.begin(), given, true);
    return {given_, static_cast<std::size_t>(improved), records_.size() - given_, evaluated_};
  }

 private:
  const Climber& climber_of(std::size_t record) const {
    return std::prev(climbers_.upper_bound(records_[record].island))->second;
  }

  std::vector<RuleStatistics> count_all(std::span<const Rule> rules) {
    if (measure_ == Measure::contrast) {
      auto generalised = count_generalised(rules, attributes_, options_, resident_);
      evaluated_ += generalised.evaluated;
      return std::move(generalised.counts);
    }
    evaluated_ += rules.size();
    return resident_.count(rules, options_);
  }

  bool take_if_better(RuleRecord& record, const Rule& rule, const RuleStatistics& counts) const {
    if (!constraints_.met(counts.table)) return false;
    const double value = evaluate(measure_, counts.table);
    if (by_measure(value, evaluate(measure_, record.table)) >= 0) return false;
    replace(record, rule, counts);
    return true;
  }

  static void replace(RuleRecord& record, const Rule& rule, const RuleStatistics& counts) {
    record.rule = rule;
    record.equivalents.clear();
    record.table = counts.table;
    record.missing_consequent = counts.missing_consequent;
  }

  /// The shorter rule without an idle part that has the greatest p; the first of equals.
  /// @param counts  of the shorter rules, last of the rule itself
  std::optional<std::size_t> most_idle(std::span<const RuleStatistics> counts, Idle idle) const {
    const ContingencyTable& with = counts.back().table;
    std::optional<std::size_t> best;
    double greatest = 0;
    for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
      const double log_p = log_productive_p(with, counts[i].table);
      if (!is_idle(with, counts[i].table, log_p, idle) || (best && log_p <= greatest)) continue;
      best = i;
      greatest = log_p;
    }
    return best;
  }

  /// Is the rule nearly as good without a part, and nearly as pure or no purer than by chance?
  /// @param log_p  that the rule with the part beats the one without by chance
  bool is_idle(const ContingencyTable& with, const ContingencyTable& without, double log_p,
               Idle idle) const {
    if (!constraints_.met(without)) return false;
    const auto keeps = [&](Measure measure) {
      return evaluate(measure, without) >= idle_share * evaluate(measure, with);
    };
    if (!keeps(measure_)) return false;
    if (log_p >= idle_log_p) return true;
    return idle == Idle::nearly_or_by_chance &&
           keeps(options_.mean ? Measure::effect_size : Measure::confidence);
  }

  std::vector<std::uint32_t> attributes_named() const {
    std::set<std::uint32_t> named;
    for (const RuleRecord& record : records_) {
      for (const Comparison& c : record.rule.antecedent.comparisons()) named.insert(c.attribute);
    }
    return {named.begin(), named.end()};
  }

  bool is_known(const Rule& rule) const {
    return std::any_of(records_.begin(), records_.end(),
                       [&](const RuleRecord& record) { return record.rule == rule; });
  }

  std::vector<RuleRecord>& records_;
  std::size_t given_;
  std::map<std::uint32_t, Climber> climbers_;  // by the first of the islands whose rules it moves
  std::span<const Attribute> attributes_;
  Constraints constraints_;
  Measure measure_;
  CountingOptions options_;
  Resident& resident_;
  ThreadPool& pool_;
  std::vector<std::unique_ptr<IntervalFitter>> fitters_;  // [worker]
  std::vector<bool> improved_;
  std::uint64_t evaluated_ = 0;
};

}  // namespace

Rule in_exact_codes(const Rule& rule, std::span<const Attribute> binned,
                    std::span<const Attribute> exact) {
  return {in_exact_codes(rule.antecedent, binned, exact),
          in_exact_codes(rule.consequent, binned, exact)};
}

BinEdges bin_edges(std::span<const Attribute> binned, std::span<const Attribute> exact) {
  BinEdges edges(binned.size());
  for (std::size_t a = 0; a < binned.size(); ++a) {
    if (!binned[a].binned()) continue;
    const auto& values = exact[a].low;
    for (std::size_t bin = 1; bin < binned[a].low.size(); ++bin) {
      const auto first = std::lower_bound(values.begin(), values.end(), binned[a].low[bin]);
      edges[a].push_back(static_cast<std::uint32_t>(first - values.begin()));
    }
  }
  return edges;
}

Refined refine(std::vector<RuleRecord> records, const Experiment& experiment,
               const IslandGrammars& grammars, Resident& exact, ThreadPool& pool,
               const BinEdges& edges) {
  Refiner refiner(records, experiment, grammars, exact, pool, edges);
  Refined refined;
  const bool prunes = steering_measure(experiment.archive_by, experiment) != Measure::contrast;
  if (prunes) {
    refined.unmoved = records;
    Refiner pruner(refined.unmoved, experiment, grammars, exact, pool, edges);
    pruner.prune(indices(records.size()), Idle::by_chance);
    refined.summary.evaluated += pruner.summary().evaluated;
  }
  std::vector<std::size_t> moving = indices(records.size());
  for (std::size_t pass = 0; pass < most_passes && !moving.empty(); ++pass) {
    refiner.climb(moving);
    moving = refiner.add_neighbours(moving);
  }
  const std::size_t best = refiner.best();
  if (best < records.size()) refined.whole = records[best];
  moving = indices(records.size());
  for (std::size_t pass = 0; pass < most_passes && !moving.empty(); ++pass) {
    moving = refiner.prune(std::move(moving), Idle::nearly_or_by_chance);
    refiner.climb(moving);
  }
  if (refined.whole && records[best].rule != refined.whole->rule) refined.shorter = records[best];
  const std::uint64_t pruning = refined.summary.evaluated;
  refined.summary = refiner.summary();
  refined.summary.evaluated += pruning;
  refined.records = std::move(records);
  return refined;
}

}  // namespace atl
