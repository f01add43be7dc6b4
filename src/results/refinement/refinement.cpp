#include "src/results/refinement/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "src/results/archive/constraints.hpp"
#include "src/results/archive/steering.hpp"
#include "src/results/refinement/climber.hpp"

namespace atl {

/// Moves of the rules of some islands. What is known of a rule need not be asked again, as many
/// rules climb to the same ones.
struct Moves {
  Moves(const Experiment& experiment, const BoundGrammar& grammar, const Dataset& exact)
      : climber(experiment, grammar, exact) {}

  Climber climber;
  std::unordered_map<Rule, Rule, RuleHash> moved;  // each bound once
  std::unordered_set<Rule, RuleHash> looked_at;    // whose neighbours have been
};

/// The ln p, on the rows searched, of what so many fewer rows held out would show to be significant
/// among `top` rules: p falls with the power of the number of rows.
std::optional<double> log_p_to_show(const Experiment& experiment) {
  if (experiment.significance == 0) return std::nullopt;
  constexpr double usual_share = 0.3;  // of rows that are chosen otherwise
  const double share = experiment.holdout.share > 0 ? experiment.holdout.share : usual_share;
  return std::log(experiment.significance / experiment.top) * (1 - share) / share;
}

/// Tools that all batches have in common.
struct RefinementTools {
  RefinementTools(const Experiment& experiment, const IslandGrammars& grammars, ThreadPool& pool,
                  const BinEdges& edges, CountedRules& to_count)
      : attributes(to_count.resident().dataset().attributes()),
        constraints(constraints_of(experiment, attributes)),
        measure(steering_measure(experiment.archive_by, experiment)),
        shown_log_p(log_p_to_show(experiment)),
        idle_parts(constraints, measure,
                   to_count.options().mean ? Measure::effect_size : Measure::confidence,
                   shown_log_p),
        counted(to_count),
        fits(to_count.resident(), pool, edges, measure == Measure::contrast) {
    for (const auto& [island, grammar] : grammars.by_first_island()) {
      moves.try_emplace(island, experiment, *grammar, to_count.resident().dataset());
    }
    if (!counted.options().mean) return;
    CountingOptions options = counted.options();
    options.mean->deviations = true;
    deviations.emplace(counted.resident(), options);
  }

  Moves& moves_of(const RuleRecord& record) {
    return std::prev(moves.upper_bound(record.island))->second;
  }
  /// Counts for p: with deviations, if rules are about a mean.
  CountedRules& counted_for_p() { return deviations ? *deviations : counted; }
  std::uint64_t evaluated() const {
    return counted.counted() + (deviations ? deviations->counted() : 0);
  }

  std::span<const Attribute> attributes;
  Constraints constraints;
  Measure measure;
  std::optional<double> shown_log_p;  ///< as of IdleParts
  IdleParts idle_parts;
  std::map<std::uint32_t, Moves> moves;  // by the first of their islands
  CountedRules& counted;
  std::optional<CountedRules> deviations;
  BoundFits fits;
};

namespace {

constexpr std::size_t most_rounds = 8;  // of climbing
constexpr std::size_t most_passes = 4;  // of climbing and looking at neighbours
constexpr std::size_t most_added = 3;   // neighbours of a rule
// Enough to see whether a neighbour is better. Those that are climb, by all rows.
constexpr std::size_t rows_of_neighbours = 1U << 16;

std::vector<std::size_t> indices(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Moves the rules of records, counts what it meets and keeps what is better.
class Refiner {
 public:
  Refiner(std::vector<RuleRecord>& records, RefinementTools& tools)
      : records_(records), given_(records.size()), tools_(tools), improved_(records.size(), false) {
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
      std::vector<Rule> moved = move_bounds(of, rules, counts);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < rules.size(); ++i) {
        if (moved[i] == rules[i]) continue;
        if (kept != i) moved[kept] = std::move(moved[i]);
        of[kept++] = of[i];
      }
      moved.resize(kept);
      of.resize(kept);
      rules = std::move(moved);
      counts = count_all(rules);
      for (std::size_t i = 0; i < rules.size(); ++i) {
        if (take_if_better(records_[of[i]], rules[i], counts[i])) improved_[of[i]] = true;
      }
    }
  }

  /// Leaves out idle parts of antecedents, the one of the greatest p first, until none is idle.
  /// Contrast needs no such care: where a part is idle, it is 0.
  /// @return those of these records that are shorter now
  std::vector<std::size_t> prune(std::vector<std::size_t> left,
                                 double least = -std::numeric_limits<double>::infinity()) {
    if (tools_.measure == Measure::contrast) return {};
    std::set<std::size_t> all_pruned;
    while (!left.empty()) {
      std::vector<std::vector<Rule>> shorter;
      std::vector<Rule> rules;
      for (const std::size_t i : left) {
        shorter.push_back(climber_of(i).shortened(records_[i].rule));
        rules.insert(rules.end(), shorter.back().begin(), shorter.back().end());
        rules.push_back(records_[i].rule);
      }
      const std::vector<RuleStatistics> counts = tools_.counted_for_p().count(rules);
      std::vector<std::size_t> pruned;
      std::size_t next = 0;
      for (std::size_t k = 0; k < left.size(); ++k) {
        const auto here = std::span(counts).subspan(next, shorter[k].size() + 1);
        next += here.size();
        const auto idle = tools_.idle_parts.most_idle(here, least);
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
  std::vector<std::size_t> add_neighbours(std::vector<std::size_t> of) {
    const std::size_t before = records_.size();
    if (tools_.measure != Measure::contrast) return {};
    std::erase_if(
        of, [&](std::size_t i) { return !moves_of(i).looked_at.insert(records_[i].rule).second; });
    const std::vector<std::vector<Rule>> near = neighbours(of);
    std::vector<Rule> rules;
    std::vector<double> at_most;
    for (std::size_t i = 0; i < of.size(); ++i) {
      rules.insert(rules.end(), near[i].begin(), near[i].end());
      at_most.resize(rules.size(), evaluate(tools_.measure, records_[of[i]].table));
    }
    const std::vector<RuleStatistics> counts = tools_.counted.count_above(rules, at_most);
    std::unordered_set<Rule, RuleHash> known;
    for (const RuleRecord& record : records_) known.insert(record.rule);
    std::size_t next = 0;
    for (std::size_t i = 0; i < of.size(); ++i) {
      std::vector<RuleRecord> better;
      for (const Rule& rule : near[i]) {
        RuleRecord record = records_[of[i]];
        if (take_if_better(record, rule, counts[next++])) better.push_back(std::move(record));
      }
      std::stable_sort(better.begin(), better.end(), [&](const RuleRecord& a, const RuleRecord& b) {
        return by_measure(evaluate(tools_.measure, a.table), evaluate(tools_.measure, b.table)) < 0;
      });
      std::size_t added = 0;
      for (RuleRecord& record : better) {
        if (added == most_added) break;
        if (!known.insert(record.rule).second) continue;
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
    const auto value = [&](const RuleRecord& r) { return evaluate(tools_.measure, r.table); };
    const auto best = std::min_element(records_.begin(), records_.end(),
                                       [&](const RuleRecord& a, const RuleRecord& b) {
                                         return by_measure(value(a), value(b)) < 0;
                                       });
    return static_cast<std::size_t>(best - records_.begin());
  }

  /// @param evaluated  rules
  RefinementSummary summary(std::uint64_t evaluated) const {
    const auto given = improved_.begin() + static_cast<std::ptrdiff_t>(given_);
    const auto improved = std::count(improved_.begin(), given, true);
    return {given_, static_cast<std::size_t>(improved), records_.size() - given_, evaluated};
  }

 private:
  /// Moves each bound of rules once.
  /// @param of      [rules] records
  /// @param counts  [rules]
  std::vector<Rule> move_bounds(std::span<const std::size_t> of, std::span<const Rule> rules,
                                std::span<const RuleStatistics> counts) {
    std::vector<Rule*> places;
    std::vector<std::size_t> fresh, of_fresh;
    std::vector<Rule> to_move;
    for (std::size_t i = 0; i < of.size(); ++i) {
      const auto [place, is_new] = moves_of(of[i]).moved.try_emplace(rules[i]);
      places.push_back(&place->second);
      if (!is_new) continue;
      fresh.push_back(i);
      of_fresh.push_back(of[i]);
      to_move.push_back(rules[i]);
    }
    std::vector<RuleStatistics> counts_of_fresh;
    for (const std::size_t i : fresh) counts_of_fresh.push_back(counts[i]);
    std::vector<Rule> made = move_fresh(of_fresh, std::move(to_move), counts_of_fresh);
    for (std::size_t k = 0; k < fresh.size(); ++k) *places[fresh[k]] = std::move(made[k]);
    std::vector<Rule> moved;
    for (const Rule* const place : places) moved.push_back(*place);
    return moved;
  }

  /// The first bound of all rules together, then the second of all.
  std::vector<Rule> move_fresh(std::span<const std::size_t> of, std::vector<Rule> rules,
                               std::span<const RuleStatistics> counts) {
    std::vector<std::vector<OpenBound>> bounds;
    for (std::size_t i = 0; i < of.size(); ++i)
      bounds.push_back(climber_of(of[i]).bounds(rules[i]));
    std::vector<std::size_t> asking;
    for (std::size_t step = 0; step == 0 || !asking.empty(); ++step) {
      asking.clear();
      std::vector<BoundFit> asked;
      for (std::size_t i = 0; i < of.size(); ++i) {
        if (step >= bounds[i].size()) continue;
        asking.push_back(i);
        asked.push_back(climber_of(of[i]).fit(rules[i], bounds[i][step], counts[i].table));
      }
      const auto fitted = tools_.fits.fit(std::move(asked));
      for (std::size_t k = 0; k < asking.size(); ++k) {
        Rule& rule = rules[asking[k]];
        if (fitted[k]) rule = with_codes(rule, bounds[asking[k]][step], *fitted[k]);
      }
    }
    for (Rule& rule : rules) rule = canonical(rule, tools_.attributes);
    return rules;
  }

  /// [of] with fitted bounds; without those for which nothing gains.
  std::vector<std::vector<Rule>> neighbours(std::span<const std::size_t> of) {
    const std::vector<std::uint32_t> others = attributes_named();
    std::vector<std::vector<Neighbour>> near;
    std::vector<BoundFit> asked;
    for (const std::size_t i : of) {
      near.push_back(climber_of(i).neighbours(records_[i].rule, others));
      for (const auto& [rule, open] : near.back()) {
        if (!open) continue;
        asked.push_back(climber_of(i).fit(rule, *open, records_[i].table));
        asked.back().rows = rows_of_neighbours;
      }
    }
    const auto fitted = tools_.fits.fit(std::move(asked));
    auto codes = fitted.begin();
    std::vector<std::vector<Rule>> made(of.size());
    for (std::size_t k = 0; k < of.size(); ++k) {
      for (const auto& [rule, open] : near[k]) {
        if (!open) {
          made[k].push_back(rule);
        } else if (const auto& of_bound = *codes++) {
          made[k].push_back(canonical(with_codes(rule, *open, *of_bound), tools_.attributes));
        }
      }
    }
    return made;
  }

  Moves& moves_of(std::size_t record) { return tools_.moves_of(records_[record]); }
  const Climber& climber_of(std::size_t record) { return moves_of(record).climber; }

  std::vector<RuleStatistics> count_all(std::span<const Rule> rules) {
    return tools_.measure == Measure::contrast ? tools_.counted.count_generalised(rules)
                                               : tools_.counted.count(rules);
  }

  bool take_if_better(RuleRecord& record, const Rule& rule, const RuleStatistics& counts) const {
    if (!tools_.constraints.met(counts.table)) return false;
    const double value = evaluate(tools_.measure, counts.table);
    if (by_measure(value, evaluate(tools_.measure, record.table)) >= 0) return false;
    replace(record, rule, counts);
    return true;
  }

  static void replace(RuleRecord& record, const Rule& rule, const RuleStatistics& counts) {
    record.rule = rule;
    record.equivalents.clear();
    record.table = counts.table;
    record.missing_consequent = counts.missing_consequent;
  }

  std::vector<std::uint32_t> attributes_named() const {
    std::set<std::uint32_t> named;
    for (const RuleRecord& record : records_) {
      for (const Comparison& c : record.rule.antecedent.comparisons()) named.insert(c.attribute);
    }
    return {named.begin(), named.end()};
  }

  std::vector<RuleRecord>& records_;
  std::size_t given_;
  RefinementTools& tools_;
  std::vector<bool> improved_;
};

}  // namespace

Refinement::Refinement(const Experiment& experiment, const IslandGrammars& grammars,
                       ThreadPool& pool, const BinEdges& edges, CountedRules& counted)
    : tools_(std::make_unique<RefinementTools>(experiment, grammars, pool, edges, counted)) {}

Refinement::~Refinement() = default;

/// The record without idle parts, as far as nearly all of the measure stays.
RuleRecord Refinement::without_idle(const RuleRecord& record) {
  if (tools_->shown_log_p) return shorten({record})[0];
  constexpr double kept = 0.999;
  const double value = evaluate(tools_->measure, record.table);
  std::vector<RuleRecord> records = {record};
  Refiner(records, *tools_).prune({0}, value - (1 - kept) * std::abs(value));
  return records[0];
}

std::vector<RuleRecord> Refinement::shorten(std::vector<RuleRecord> records) {
  Refiner(records, *tools_).prune(indices(records.size()));
  return records;
}

Refined Refinement::refine(std::vector<RuleRecord> records) {
  const std::uint64_t evaluated = tools_->evaluated();
  Refiner refiner(records, *tools_);
  Refined refined;
  if (tools_->measure != Measure::contrast) {
    refined.unmoved = records;
    Refiner(refined.unmoved, *tools_).prune(indices(records.size()));
  }
  std::vector<std::size_t> moving = indices(records.size());
  for (std::size_t pass = 0; pass < most_passes && !moving.empty(); ++pass) {
    refiner.climb(moving);
    moving = refiner.add_neighbours(std::move(moving));
  }
  const std::size_t best = refiner.best();
  if (best < records.size()) {
    refined.whole = records[best];
    refined.first = without_idle(records[best]);
  }
  moving = indices(records.size());
  for (std::size_t pass = 0; pass < most_passes && !moving.empty(); ++pass) {
    moving = refiner.prune(std::move(moving));
    refiner.climb(moving);
  }
  refiner.prune(std::move(moving));
  refined.summary = refiner.summary(tools_->evaluated() - evaluated);
  refined.records = std::move(records);
  return refined;
}

}  // namespace atl
