#include "src/results/choice/aimed_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "src/eval/counting_options.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/results/archive/steering.hpp"
#include "src/results/choice/covering.hpp"
#include "src/results/choice/front.hpp"
#include "src/rules/class_target.hpp"
#include "src/sampling/row_sample.hpp"

namespace atl {
namespace {

constexpr std::size_t most_consequents = 32;
// Rules on one consequent, and tenths of a row's weight that are left when one covers it: little
// for rules far from each other, much for a dense cover. docs/notes/search.md has what either
// gives.
struct Pass {
  std::size_t rules;
  std::int64_t kept;
};
constexpr std::array passes = {Pass{24, 8}, Pass{16, 5}};
constexpr std::size_t most_rules = passes[0].rules + passes[1].rules;
constexpr std::size_t first_width = 100, width = 12;
constexpr std::size_t front_width = 40, front_each = 8;
constexpr std::uint64_t most_looks = std::uint64_t{1} << 29;  // at levels, of all consequents
constexpr std::size_t least_sample = 4096, most_sample = 32768;
// Looks at a row and attribute that a rule costs, about: most rows are not in most antecedents.
constexpr std::size_t looks_a_rule = 20;

struct Consequent {
  Expression side;
  std::uint32_t island;  // whose grammar it is of
};

/// The consequents in the order found, and then labels of their attributes that nothing was found
/// of.
std::vector<Consequent> consequents(std::span<const RuleRecord> found, const Experiment& experiment,
                                    std::span<const Attribute> attributes) {
  const bool classes = concludes_classes(experiment.aim, attributes);
  std::vector<Consequent> all;
  std::set<Expression> known;
  for (const RuleRecord& record : found) {
    const Expression& side = record.rule.consequent;
    if (known.insert(side).second) all.push_back({side, record.island});
  }
  for (std::size_t i = 0; classes && i < all.size(); ++i) {
    const auto comparisons = all[i].side.comparisons();
    if (comparisons.size() != 1 || attributes[comparisons[0].attribute].ordered()) continue;
    const std::uint32_t attribute = comparisons[0].attribute;
    for (std::uint32_t label = 0; label < attributes[attribute].distinct(); ++label) {
      const Expression side = Expression::of({attribute, label, label, false});
      if (known.insert(side).second) all.push_back({side, all[i].island});
    }
  }
  return all;
}

/// The gain of a rule about the mean by a row: how far its value lies from the mean, on the side
/// asked for, in 1024ths of a standard deviation.
std::vector<std::int32_t> gains_of_mean(const RowSample& sample, const MeanTarget& target) {
  constexpr double unit = 1024, most = 1 << 16;
  const auto levels = sample.levels(target.attribute);
  const Attribute& attribute = sample.attributes()[target.attribute];
  const auto value = [&](std::size_t row) {
    const Comparison codes = sample.comparison(target.attribute, levels[row], levels[row]);
    return (attribute.low[codes.low] + attribute.high[codes.high]) / 2;
  };
  double rows = 0, mean = 0, squares = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] == RowSample::missing) continue;
    rows += 1;
    const double delta = value(i) - mean;
    mean += delta / rows;
    squares += delta * (value(i) - mean);
  }
  const double deviation = rows > 0 ? std::sqrt(squares / rows) : 0;
  std::vector<std::int32_t> gains(levels.size(), 0);
  for (std::size_t i = 0; deviation > 0 && i < levels.size(); ++i) {
    if (levels[i] == RowSample::missing) continue;
    const double beyond = (value(i) - mean) / deviation * unit * (target.low ? -1 : 1);
    gains[i] = static_cast<std::int32_t>(std::lround(std::clamp(beyond, -most, most)));
  }
  return gains;
}

/// Rows of the sample, and those on which the consequent holds.
struct SampleRows {
  std::size_t all = 0, positives = 0;
};

std::vector<std::int32_t> gains_of(const RowSample& sample, const Comparison& consequent,
                                   bool exclude_missing, SampleRows& rows) {
  exclude_missing = exclude_missing && !asks_missing(consequent);
  const auto levels = sample.levels(consequent.attribute);
  const auto low = sample.level_of(consequent.attribute, consequent.low);
  const auto high = sample.level_of(consequent.attribute, consequent.high);
  const auto holds = [&](RowSample::Level level) {
    if (asks_missing(consequent)) return level == RowSample::missing;
    return level != RowSample::missing && (low <= level && level <= high) != consequent.negated;
  };
  for (const RowSample::Level level : levels) {
    if (exclude_missing && level == RowSample::missing) continue;
    ++rows.all;
    if (holds(level)) ++rows.positives;
  }
  std::vector<std::int32_t> gains(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (exclude_missing && levels[i] == RowSample::missing) continue;
    gains[i] = static_cast<std::int32_t>((holds(levels[i]) ? rows.all : 0) - rows.positives);
  }
  return gains;
}

CoveringTask task_of(const Expression& consequent, const Experiment& experiment,
                     const RowSample& sample, std::uint64_t all_rows,
                     const CountingOptions& options) {
  CoveringTask task;
  for (const Comparison& c : consequent.comparisons()) task.without.insert(c.attribute);
  Constraints constraints = constraints_of(experiment, sample.attributes());
  const double share = static_cast<double>(constraints.min_support.minimum_count(all_rows)) /
                       static_cast<double>(all_rows);
  if (options.mean) {
    task.gains = gains_of_mean(sample, *options.mean);
    const double least = share * static_cast<double>(sample.rows());
    task.meets = [least](std::size_t rows, std::size_t) {
      return static_cast<double>(rows) >= least;
    };
    return task;
  }
  SampleRows rows;
  task.gains =
      gains_of(sample, consequent.comparisons()[0], options.exclude_missing_consequent, rows);
  constraints.min_support = {.share = share, .rows = {}};
  task.meets = [constraints, rows](std::size_t antecedent, std::size_t both) {
    return constraints.met({rows.all, antecedent, rows.positives, both});
  };
  return task;
}

FrontTask front_task(const Expression& consequent, const CoveringTask& covering,
                     const RowSample& sample, std::uint64_t all_rows,
                     const CountingOptions& options) {
  FrontTask task{.rows = {},
                 .gains = covering.gains,
                 .of_mean = options.mean.has_value(),
                 .without = covering.without,
                 .sizes = {},
                 .meets = covering.meets};
  const Comparison& conclusion = consequent.comparisons()[0];
  const std::uint32_t target = options.mean ? options.mean->attribute : conclusion.attribute;
  const auto levels = sample.levels(target);
  for (std::uint32_t row = 0; row < sample.rows(); ++row) {
    const bool counts =
        levels[row] != RowSample::missing || (!options.mean && !options.exclude_missing_consequent);
    if (counts) task.rows.push_back(row);
    if (!options.mean) task.gains[row] = task.gains[row] > 0 ? 1 : 0;
  }
  for (const double share : front_sizes(all_rows)) {
    const double least = std::ceil(share * static_cast<double>(sample.rows()));
    task.sizes.push_back(static_cast<std::uint32_t>(least));
  }
  return task;
}

/// Finds the rules of one consequent after the other.
class AimedSearch {
 public:
  AimedSearch(const Experiment& experiment, const CountingOptions& options, const Dataset& dataset,
              std::size_t consequents, ThreadPool& pool)
      : experiment_(experiment),
        options_(options),
        dataset_(dataset),
        pool_(pool),
        rules_(rules_of_each(experiment, consequents)),
        looks_(most_looks / consequents),
        sample_(dataset, sample_rows()) {}

  void add_rules_of(const Consequent& consequent, const BoundGrammar& grammar) {
    const auto comparisons = consequent.side.comparisons();
    if (!grammar.joins_antecedents() || grammar.max_comparisons() <= comparisons.size() ||
        comparisons.size() != 1 || sample_.distinct(comparisons[0].attribute) == 0) {
      return;
    }
    const std::size_t longest = grammar.max_comparisons() - comparisons.size();
    const CoveringTask task =
        task_of(consequent.side, experiment_, sample_, dataset_.rows(), options_);
    add_covering(consequent, grammar, task, longest);
    const FrontTask front = front_task(consequent.side, task, sample_, dataset_.rows(), options_);
    const FrontLimits limits{
        .comparisons = longest, .width = front_width, .each = front_each, .looks = looks_};
    for (const Expression& antecedent : certain_rules(sample_, grammar, front, limits, pool_)) {
      made_.front.push_back(record_of(antecedent, consequent));
    }
  }

  /// All found so far that meet the constraints, counted on all rows.
  AimedRules counted(Resident& resident) && {
    const Constraints constraints = constraints_of(experiment_, dataset_.attributes());
    for (auto* const records : {&made_.covering, &made_.front}) {
      std::vector<Rule> to_count;
      for (const RuleRecord& record : *records) to_count.push_back(record.rule);
      const auto counts = resident.count(to_count, options_);
      for (std::size_t i = 0; i < records->size(); ++i) {
        (*records)[i].table = counts[i].table;
        (*records)[i].missing_consequent = counts[i].missing_consequent;
      }
      std::erase_if(*records, [&](const RuleRecord& r) { return !constraints.met(r.table); });
    }
    return std::move(made_);
  }

 private:
  /// Of the covering; half of a share is left for other rules, if there are several.
  static std::size_t rules_of_each(const Experiment& experiment, std::size_t consequents) {
    const std::size_t quota = (experiment.top + consequents - 1) / consequents;
    return std::min(most_rules, consequents > 1 ? (quota + 1) / 2 : quota);
  }

  std::size_t sample_rows() const {
    const std::uint64_t a_row = rules_ * looks_a_rule * dataset_.attributes().size();
    return std::clamp<std::size_t>(looks_ / a_row, least_sample, most_sample);
  }

  static RuleRecord record_of(const Expression& antecedent, const Consequent& consequent) {
    RuleRecord record;
    record.rule = {antecedent, consequent.side};
    record.island = consequent.island;
    return record;
  }

  void add_covering(const Consequent& consequent, const BoundGrammar& grammar,
                    const CoveringTask& task, std::size_t longest) {
    std::set<Expression> taken;
    for (const Pass& pass : passes) {
      const CoveringLimits limits{.rules = (pass.rules * rules_ + most_rules - 1) / most_rules,
                                  .comparisons = longest,
                                  .first_width = taken.empty() ? first_width : width,
                                  .width = width,
                                  .kept = pass.kept,
                                  .looks = looks_ / passes.size()};
      for (const Expression& antecedent : cover(sample_, grammar, task, limits, pool_)) {
        if (!taken.insert(antecedent).second) continue;
        made_.covering.push_back(record_of(antecedent, consequent));
      }
    }
  }

  const Experiment& experiment_;
  const CountingOptions& options_;
  const Dataset& dataset_;
  ThreadPool& pool_;
  std::size_t rules_;
  std::uint64_t looks_;
  RowSample sample_;
  AimedRules made_;
};

}  // namespace

AimedRules aimed_rules(std::span<const RuleRecord> found, const Experiment& experiment,
                       const IslandGrammars& grammars, Resident& resident, ThreadPool& pool) {
  const Dataset& dataset = resident.dataset();
  const Aim& aim = experiment.aim;
  const Measure measure = steering_measure(experiment.archive_by, experiment);
  if (!aim.has_target() || !aim.require.empty() || measure == Measure::contrast) return {};
  const auto all = consequents(found, experiment, dataset.attributes());
  if (all.empty() || all.size() > most_consequents) return {};
  const CountingOptions options = counting_options(experiment, dataset.attributes());
  AimedSearch search(experiment, options, dataset, all.size(), pool);
  for (const Consequent& consequent : all) {
    search.add_rules_of(consequent, grammars.of(consequent.island));
  }
  return std::move(search).counted(resident);
}

}  // namespace atl
