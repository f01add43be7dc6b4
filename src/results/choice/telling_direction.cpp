#include "src/results/choice/telling_direction.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "src/results/archive/steering.hpp"

namespace atl {
namespace {

/// Is it one figure, but for how the formula rounds when sides change places?
bool is_equal(double a, double b) {
  constexpr double rounding = 1e-12;
  return by_measure(a, b) == 0 || std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

}  // namespace

Rule reversal(const Rule& rule) {
  return {rule.consequent, rule.antecedent};
}

TellingDirection::TellingDirection(const Experiment& experiment, const IslandGrammars& grammars,
                                   CountedRules& counted, const Definitions& definitions)
    : grammars_(grammars),
      counted_(counted),
      definitions_(definitions),
      constraints_(constraints_of(experiment, counted.resident().dataset().attributes())),
      measure_(steering_measure(experiment.archive_by, experiment)) {}

std::vector<RuleRecord> TellingDirection::turned(std::vector<RuleRecord> records) {
  if (counted_.options().mean) return records;
  std::vector<std::size_t> asked;  // records
  std::vector<Rule> reversals;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!is_turnable(records[i])) continue;
    asked.push_back(i);
    reversals.push_back(reversal(records[i].rule));
  }
  const auto counts = measure_ == Measure::contrast ? counted_.count_generalised(reversals)
                                                    : counted_.count(reversals);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    RuleRecord other = records[asked[k]];
    other.rule = std::move(reversals[k]);
    other.table = counts[k].table;
    other.missing_consequent = counts[k].missing_consequent;
    if (tells_more(records[asked[k]], other)) records[asked[k]] = std::move(other);
  }
  return records;
}

bool TellingDirection::is_turnable(const RuleRecord& record) const {
  const auto attributes = counted_.resident().dataset().attributes();
  const auto is_apart = [&](const Rule& rule) {
    return definitions_.keeps_apart(rule, attributes);
  };
  return grammars_.of(record.island).derives_reversal(record.rule, attributes) &&
         is_apart(record.rule) == is_apart(reversal(record.rule));
}

bool TellingDirection::tells_more(const RuleRecord& record, const RuleRecord& reversal) const {
  if (!constraints_.met(reversal.table)) return false;
  for (const Measure measure : {measure_, Measure::confidence}) {
    const double its = evaluate(measure, reversal.table);
    const double own = evaluate(measure, record.table);
    if (!is_equal(its, own)) return by_measure(its, own) < 0;
  }
  return reversal.rule < record.rule;
}

}  // namespace atl
