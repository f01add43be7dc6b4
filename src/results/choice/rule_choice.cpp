#include "src/results/choice/rule_choice.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "src/results/archive/steering.hpp"
#include "src/results/choice/redundancy.hpp"

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

/// Best first; of one rule the first find. Of equal value the more confident goes first, as it
/// stands for its reversal, then the shorter.
std::vector<RuleRecord> in_order(std::span<const RuleRecord> records, Measure measure) {
  std::unordered_map<Rule, const RuleRecord*, RuleHash> distinct;
  distinct.reserve(records.size());
  for (const RuleRecord& record : records) {
    const auto [known, is_new] = distinct.emplace(record.rule, &record);
    const auto found = [](const RuleRecord& r) { return std::tie(r.generation, r.island); };
    if (!is_new && found(record) < found(*known->second)) known->second = &record;
  }
  struct Place {
    double value, confidence;
    const RuleRecord* record;
  };
  std::vector<Place> places;
  places.reserve(distinct.size());
  for (const auto& [rule, record] : distinct) {
    places.push_back(
        {evaluate(measure, record->table), evaluate(Measure::confidence, record->table), record});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    if (const auto c = by_measure(a.value, b.value); c != 0) return c < 0;
    if (const auto c = by_measure(a.confidence, b.confidence); c != 0) return c < 0;
    return a.record->rule < b.record->rule;
  });
  std::vector<RuleRecord> ordered;
  ordered.reserve(places.size());
  for (const Place& place : places) ordered.push_back(*place.record);
  return ordered;
}

CountingOptions with_hashes(CountingOptions options) {
  options.coverage_hashes = true;
  return options;
}

}  // namespace

std::vector<RuleRecord> RulesAndDefinitions::all() && {
  rules.insert(rules.end(), definitions.begin(), definitions.end());
  return std::move(rules);
}

RuleChoice::RuleChoice(const Experiment& experiment, CountedRules& counted,
                       const Definitions& definitions)
    : experiment_(experiment),
      definitions_(definitions),
      attributes_(counted.resident().dataset().attributes()),
      counted_(counted),
      hashed_(counted.resident(), with_hashes(counted.options())),
      measure_(steering_measure(experiment.archive_by, experiment)),
      shapes_(counted.resident().dataset(), definitions.dependences()) {}

RulesAndDefinitions RuleChoice::choose(std::span<const RuleRecord> records,
                                       const std::set<Rule>& first, std::size_t most) {
  const auto ordered = in_order(records, measure_);
  // The shortest of equivalents stands for all, whose contrast may be another.
  std::vector<RuleRecord> rules, definitions;
  for (RuleRecord& record :
       in_order(remove_redundant(ordered, hashed(ordered), attributes_, first), measure_)) {
    if (definitions_.is_definition(record.rule, attributes_)) record.kind = RuleKind::definition;
    (is_apart(record) ? definitions : rules).push_back(std::move(record));
  }
  UnlikeRules::SaysNoMore is_confounded;
  if (measure_ == Measure::contrast) {
    is_confounded = [&](const RuleRecord& record, std::span<const RuleRecord> better) {
      return explained(record, better);
    };
  }
  const auto select = [&](const std::vector<RuleRecord>& of) {
    return choose_unlike(of, first, shapes_, limits(of, most), is_confounded);
  };
  return {select(rules), select(definitions)};
}

/// Does a better rule explain the record? The one of a former choice mostly explains it still.
bool RuleChoice::explained(const RuleRecord& record, std::span<const RuleRecord> better) {
  const auto known = explained_by_.find(record.rule);
  if (known != explained_by_.end() &&
      std::any_of(better.begin(), better.end(),
                  [&](const RuleRecord& b) { return b.rule == known->second; })) {
    return true;
  }
  const RuleRecord* const by = confounder(record, better, counted_);
  if (by != nullptr) explained_by_.insert_or_assign(record.rule, by->rule);
  return by != nullptr;
}

std::vector<RuleRecord> RuleChoice::without_redundant(std::span<const RuleRecord> records,
                                                      const std::set<Rule>& stay) {
  const auto ordered = in_order(records, measure_);
  auto left = in_order(remove_redundant(ordered, hashed(ordered), attributes_, stay), measure_);
  std::erase_if(left, [&](const RuleRecord& record) { return is_apart(record); });
  return left;
}

std::size_t RuleChoice::distinct(std::span<const RuleRecord> records) {
  const auto ordered = in_order(records, measure_);
  const auto left = remove_redundant(ordered, hashed(ordered), attributes_);
  return static_cast<std::size_t>(std::count_if(
      left.begin(), left.end(), [&](const RuleRecord& record) { return !is_apart(record); }));
}

std::vector<std::size_t> RuleChoice::next(std::span<const RuleRecord> records,
                                          const std::vector<bool>& gone,
                                          std::span<const RuleRecord> chosen, std::size_t most) {
  UnlikeRules selection(shapes_, experiment_.max_similarity);
  std::map<Expression, std::size_t> of_consequent;
  for (const RuleRecord& record : chosen) {
    selection.put(record);
    ++of_consequent[record.rule.consequent];
  }
  const std::size_t each = limits(records, experiment_.top).each;
  std::vector<bool> looked_at = gone;
  std::vector<std::size_t> positions;
  for (const bool quota : {true, false}) {
    for (std::size_t i = 0; i < records.size() && positions.size() < most; ++i) {
      std::size_t& own = of_consequent[records[i].rule.consequent];
      if (looked_at[i] || (quota && own >= each)) continue;
      looked_at[i] = true;
      if (!selection.offer(records[i])) continue;
      positions.push_back(i);
      ++own;
    }
  }
  return positions;
}

/// The limits of the list. The classes of a target that have rules share it.
UnlikeLimits RuleChoice::limits(std::span<const RuleRecord> records, std::size_t most) const {
  UnlikeLimits limits{.most_similar = experiment_.max_similarity, .top = most};
  if (!experiment_.aim.has_target()) return limits;
  std::set<Expression> consequents;
  for (const RuleRecord& record : records) consequents.insert(record.rule.consequent);
  if (!consequents.empty()) {
    limits.each = (limits.top + consequents.size() - 1) / consequents.size();
  }
  return limits;
}

/// Hashes cost a step for every row covered, so they are asked for only where they can matter.
std::vector<RuleStatistics> RuleChoice::hashed(std::span<const RuleRecord> records) {
  const std::vector<std::size_t> equal = with_equal_tables(records);
  std::vector<Rule> rules;
  for (const std::size_t i : equal) rules.push_back(records[i].rule);
  std::vector<RuleStatistics> counts(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) counts[i].table = records[i].table;
  const std::vector<RuleStatistics> hashed = hashed_.count(rules);
  for (std::size_t i = 0; i < equal.size(); ++i) counts[equal[i]] = hashed[i];
  return counts;
}

}  // namespace atl
