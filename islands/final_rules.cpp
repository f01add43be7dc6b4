#include "islands/final_rules.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

#include "islands/explained.hpp"
#include "islands/redundancy.hpp"
#include "islands/refinement.hpp"
#include "islands/steering.hpp"
#include "islands/widened_counts.hpp"
#include "src/core/error.hpp"
#include "src/eval/counting_options.hpp"

namespace atl {

namespace {

auto key(const ContingencyTable& table) {
  return std::tie(table.n, table.n_antecedent, table.n_consequent, table.n_both);
}

// Positions of records whose table another one has, too: only they can cover the same rows.
std::vector<std::size_t> with_equal_tables(std::span<const RuleRecord> records) {
  std::vector<std::size_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto of_a = key(records[a].table);
    const auto of_b = key(records[b].table);
    return of_a != of_b ? of_a < of_b : a < b;
  });
  std::vector<std::size_t> equal;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto table = key(records[order[i]].table);
    if ((i > 0 && key(records[order[i - 1]].table) == table) ||
        (i + 1 < order.size() && key(records[order[i + 1]].table) == table)) {
      equal.push_back(order[i]);
    }
  }
  return equal;
}

// Where the search has not done so.
void count_widenings(std::vector<RuleRecord>& records, std::span<const Attribute> attributes,
                     const EvaluateOptions& options, Evaluator& evaluator) {
  std::vector<Rule> rules;
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  const auto widened = count_widened(rules, attributes, options, evaluator);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].table = widened.counts[i].table;
}

void count_deviations(std::vector<RuleRecord>& records, EvaluateOptions options,
                      Evaluator& evaluator) {
  options.mean->deviations = true;
  std::vector<Rule> rules;
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  const std::vector<RuleCounts> counts = count(rules, options, evaluator);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].table.target = counts[i].table.target;
}

// Counts what only rules that are written need.
void complete(std::vector<RuleRecord>& records, std::span<const Attribute> attributes,
              const EvaluateOptions& options, Evaluator& evaluator) {
  if (options.mean) {
    count_deviations(records, options, evaluator);
  } else {
    count_widenings(records, attributes, options, evaluator);
  }
}

// Must find what the search found.
void count_again(std::span<const RuleRecord> records, const EvaluateOptions& options,
                 Evaluator& evaluator) {
  std::vector<Rule> rules;
  rules.reserve(records.size());
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  const std::vector<RuleCounts> counts = count(rules, options, evaluator);
  for (std::size_t i = 0; i < records.size(); ++i) {
    ContingencyTable table = counts[i].table;
    table.n_wider_antecedent = records[i].table.n_wider_antecedent;
    table.n_wider_both = records[i].table.n_wider_both;
    if (table != records[i].table) {
      throw InternalError("a rule of the archive has other counts when counted again");
    }
  }
}

enum class Followers { stay, leave };  // what a better rule explains

// Removes redundancy; at most `most` of what is left.
std::vector<RuleRecord> choose(std::span<const RuleRecord> records, const Experiment& experiment,
                               const Dataset& dataset, Evaluator& evaluator, std::size_t most,
                               Followers followers) {
  // Hashes cost a step for every row covered, so they are asked for only where they can matter.
  const std::vector<std::size_t> equal = with_equal_tables(records);
  std::vector<Rule> rules;
  for (const std::size_t i : equal) rules.push_back(records[i].rule);
  EvaluateOptions options = counting_options(experiment, dataset.attributes());
  options.coverage_hashes = true;
  std::vector<RuleCounts> counts(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) counts[i].table = records[i].table;
  const std::vector<RuleCounts> hashed = count(rules, options, evaluator);
  for (std::size_t i = 0; i < equal.size(); ++i) counts[equal[i]] = hashed[i];
  options.coverage_hashes = false;

  const Measure measure = steering_measure(experiment.archive_by, experiment);
  auto kept = remove_redundant(records, counts, dataset.attributes());
  // Of equivalents the shortest stands for all, whose contrast may be another.
  std::stable_sort(kept.begin(), kept.end(), [&](const RuleRecord& a, const RuleRecord& b) {
    return by_measure(evaluate(measure, a.table), evaluate(measure, b.table)) < 0;
  });
  std::function<bool(const RuleRecord&, std::span<const RuleRecord>)> is_explained;
  if (measure == Measure::contrast && followers == Followers::leave) {
    is_explained = [&](const RuleRecord& record, std::span<const RuleRecord> better) {
      return explained(record, better, options, evaluator);
    };
  }
  return select_unlike(kept, dataset.attributes(),
                       CoverageSample(dataset, CoverageSample::Detail::every_code),
                       experiment.max_similarity, most, is_explained);
}

// Best first, as an archive has them.
std::vector<RuleRecord> in_order(std::vector<RuleRecord> records, const Experiment& experiment,
                                 std::span<const Attribute> attributes) {
  Archive archive(steering_measure(experiment.archive_by, experiment), records.size());
  for (const RuleRecord& record : records) archive.offer(record, niche(record, attributes));
  return archive.rules();
}

}  // namespace

std::vector<RuleRecord> final_rules(const RunState& state, const Experiment& experiment,
                                    const Dataset& dataset, Evaluator& evaluator) {
  const std::vector<RuleRecord> records = state.archive.rules();
  const EvaluateOptions options = counting_options(experiment, dataset.attributes());
  count_again(records, options, evaluator);
  auto chosen = choose(records, experiment, dataset, evaluator, experiment.top, Followers::leave);
  complete(chosen, dataset.attributes(), options, evaluator);
  return chosen;
}

std::vector<RuleRecord> final_rules(const RunState& state, const Experiment& experiment,
                                    const IslandGrammars& grammars, const Dataset& dataset,
                                    Evaluator& evaluator, const ExactRows& exact,
                                    RefinementSummary& summary, Refinable refinable) {
  const std::vector<RuleRecord> records = state.archive.rules();
  const EvaluateOptions options = counting_options(experiment, dataset.attributes());
  count_again(records, options, evaluator);
  auto chosen = refinable == Refinable::all
                    ? records
                    : choose(records, experiment, dataset, evaluator,
                             std::size_t{2} * experiment.top, Followers::stay);
  const auto attributes = exact.dataset.attributes();
  for (RuleRecord& record : chosen) {
    record.rule = in_exact_codes(record.rule, dataset.attributes(), attributes);
    for (Rule& rule : record.equivalents) {
      rule = in_exact_codes(rule, dataset.attributes(), attributes);
    }
  }
  count_again(chosen, options, exact.evaluator);
  Refined refined =
      refine(std::move(chosen), experiment, grammars, exact.dataset, exact.evaluator, exact.pool);
  summary = refined.summary;
  const auto ordered = in_order(std::move(refined.records), experiment, attributes);
  chosen =
      choose(ordered, experiment, exact.dataset, exact.evaluator, experiment.top, Followers::leave);
  complete(chosen, attributes, options, exact.evaluator);
  return chosen;
}

}  // namespace atl
